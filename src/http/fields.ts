import { z } from 'zod'

/** What several routes take. */
export const chat = z.string().min(1).max(1_000).describe('`source:id`, an id, or a unique beginning of one')
export const reveal = z
  .boolean()
  .optional()
  .describe('Show passwords and keys as they are; for the page only, never for a token')

/** How the syncing of this process is; `off` where it does none. */
export const syncState = z.union([
  z.object({ state: z.enum(['off', 'starting']) }),
  z.object({ state: z.literal('reading'), done: z.number(), total: z.number() }),
  z.object({
    state: z.literal('in step'),
    by: z.number().optional().describe('The process that keeps it so, where it is another'),
  }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
])
