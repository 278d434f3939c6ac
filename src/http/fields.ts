import { z } from 'zod'
import type { Entry } from '../mcp/guard.ts'
import { RecollectError } from '../model/errors.ts'
import { redactJson } from '../platform/redact.ts'
import type { Clean } from '../recall/reader.ts'

/** What several routes take. */
export const chat = z.string().min(1).max(1_000).describe('`source:id`, an id, or a unique beginning of one')
export const reveal = z
  .boolean()
  .optional()
  .describe('Show passwords and keys as they are; for the page only, never for a token')

/** Only who sits at the page may see secrets as they are. */
export function cleanerFor({ owner }: Entry, asked: boolean | undefined): Clean {
  if (!asked) return redactJson
  if (owner) return (value) => value
  throw new RecollectError(
    'FORBIDDEN',
    'Passwords and keys are shown on the page only, never to a token.',
    'Leave `reveal` out.',
  )
}
