import { z } from 'zod'
import { resolveIds as resolved } from '../recall/resolve.ts'
import { capability } from './capability.ts'
import { notes } from './shapes.ts'

export const resolveIds = capability({
  name: 'resolve_ids',
  title: 'Look up ids',
  description: 'Whole chat and message ids for their first characters (4 or more).',
  set: 'recall',
  acts: ['read'],
  archiveOnly: true,
  input: () =>
    z.object({
      chatIdPrefix: z.string().optional().describe('Start of a chat id'),
      messageIdPrefix: z.string().optional().describe('Start of a message id'),
      limit: z.number().optional().describe('Results at most'),
    }),
  output: () =>
    z.object({
      chats: z.array(z.object({ chatId: z.string(), title: z.string(), source: z.string() })),
      messages: z.array(
        z.object({
          messageId: z.string(),
          chatId: z.string(),
          index: z.number(),
          role: z.string(),
          preview: z.string(),
        }),
      ),
      ambiguous: z.boolean(),
      notes,
    }),
  handle: async (deps, input) => await resolved(deps.archive, input, deps.clean),
})
