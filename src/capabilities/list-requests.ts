import { z } from 'zod'
import { listRequests as requestsIn } from '../recall/requests.ts'
import { capability, MANY_CHATS } from './capability.ts'
import { checkedByHandler, sessionId } from './fields.ts'
import { matched, notes, unsure, via } from './shapes.ts'

export const listRequests = capability({
  name: 'list_requests',
  title: 'Requests in a chat',
  description:
    'All that the user asked earlier in this chat or another, numbered, as previews; get_request recalls one in full.',
  set: 'recall',
  acts: ['read'],
  input: () =>
    z.object({
      sessionId,
      from: checkedByHandler({ type: 'integer', minimum: 1, description: 'First number, default 1' }),
      limit: checkedByHandler({ type: 'integer', minimum: 1, description: 'How many, default 20' }),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      error: z.string().optional(),
      ...unsure,
      sessionId: z.string().optional(),
      matched,
      totalRequests: z.number().optional(),
      requests: z
        .array(z.object({ index: z.number(), preview: z.string(), timestamp: z.number().nullable(), via }))
        .optional(),
      notes,
    }),
  // Which dialog asks shows in the assistants' files, where it may be written a moment later.
  long: ({ sessionId = 'current' }, { chats }) => sessionId === 'current' && chats > MANY_CHATS && 'waits',
  handle: async (deps, input) => await requestsIn(deps, input, deps),
})
