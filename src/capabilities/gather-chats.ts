import { z } from 'zod'
import { gatherChats as gathered } from '../recall/gather.ts'
import { capability } from './capability.ts'
import { anything, chatIds, cursor, maxChars } from './fields.ts'

export const gatherChats = capability({
  name: 'gather_chats',
  title: 'Gather chats',
  description:
    'The messages of a chat, or of several merged in time order with the passages they share and where they differ. Long answers end with leftOut.cursor: pass it on for the rest.',
  set: 'recall',
  acts: ['read'],
  input: z.object({
    chatIds,
    includeTools: z.boolean().optional().describe('Tool calls and results; true'),
    roles: z.array(z.enum(['user', 'assistant', 'system', 'tool'])).optional(),
    from: z.number().optional().describe('First message index, from 0'),
    to: z.number().optional().describe('Last message index'),
    max_chars: maxChars,
    cursor,
  }),
  output: z.looseObject({
    chat: z.unknown().optional(),
    messages: anything.optional(),
    meta: anything.optional(),
    narrative: anything.optional(),
    commonAlignment: anything.optional(),
    differences: anything.optional(),
    notFound: anything.optional(),
    leftOut: z.unknown().optional(),
  }),
  handle: async (deps, input) => {
    const max_chars = input.max_chars ?? deps.room
    return { ...(await gathered(deps, { ...input, max_chars }, deps.clean)) }
  },
})
