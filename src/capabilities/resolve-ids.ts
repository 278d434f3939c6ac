import { z } from 'zod'
import { resolveIds as resolved } from '../recall/resolve.ts'
import { capability } from './capability.ts'
import { anything } from './fields.ts'

export const resolveIds = capability({
  name: 'resolve_ids',
  title: 'Resolve ids',
  description: 'Whole chat and message ids for their first characters (4 or more).',
  set: 'recall',
  acts: ['read'],
  input: z.object({
    chatIdPrefix: z.string().optional(),
    messageIdPrefix: z.string().optional(),
    limit: z.number().optional(),
  }),
  output: z.object({ chats: anything, messages: anything, ambiguous: z.boolean() }),
  handle: async (deps, input) => await resolved(deps.archive, input, deps.clean),
})
