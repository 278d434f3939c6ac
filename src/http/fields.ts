import { z } from 'zod'

/** What several routes take. */
export const chat = z.string().min(1).max(1_000).describe('`source:id`, an id, or a unique beginning of one')
export const reveal = z
  .boolean()
  .optional()
  .describe('Show passwords and keys as they are; for the page only, never for a token')
