import { redactJson } from '../platform/redact.ts'
import type { Deps } from './capability.ts'

/** An answer without the secrets that people paste into chats, unless their owner wants them. */
export function outgoing<T>(deps: Deps, answer: T): T {
  return cleaner(deps)(answer)
}

/** The same for what is cut to size on its way: half a secret would not be known for one. */
export function cleaner({ caller }: Deps): <T>(value: T) => T {
  return caller.reveal ? (value) => value : redactJson
}
