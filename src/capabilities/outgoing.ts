import type { Deps } from './capability.ts'

/** An answer without the secrets that people paste into chats, unless their owner wants them. */
export function outgoing<T>({ clean }: Deps, answer: T): T {
  return clean(answer)
}
