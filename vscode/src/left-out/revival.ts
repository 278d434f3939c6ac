import { RecollectError } from '../../../src/model/errors.ts'

/** In place of what writes a chat back for its assistant, which the extension does not bring along. */
export const SESSION = /^$/

export function revive(): never {
  throw new RecollectError(
    'NOT_REVIVABLE',
    'The extension does not write chats back.',
    'Run `recollect revive` in a terminal.',
  )
}
