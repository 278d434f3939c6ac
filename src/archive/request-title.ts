import { redact } from '../platform/redact.ts'

const LONGEST = 200

/** The line of a request as it names a chat. Without secrets: half of one, once cut, can no longer be told. */
export function requestTitle(line: string): string {
  return redact(line).slice(0, LONGEST).trimEnd().toWellFormed()
}
