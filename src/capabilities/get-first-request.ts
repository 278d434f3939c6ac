import { z } from 'zod'
import { firstRequest } from '../recall/requests.ts'
import { capability, MANY_CHATS } from './capability.ts'
import { sessionId } from './fields.ts'
import { matched, notes, unsure } from './shapes.ts'

export const getFirstRequest = capability({
  name: 'get_first_request',
  title: 'First request',
  description:
    "What the user asked first in a chat, as a preview of 80 characters. Use it when your history was compacted and you no longer see the task's beginning.",
  set: 'recall',
  acts: ['read'],
  input: () => z.object({ sessionId }),
  output: () =>
    z.object({
      success: z.boolean(),
      error: z.string().optional(),
      ...unsure,
      sessionId: z.string().optional(),
      matched,
      firstRequest: z.string().optional(),
      timestamp: z.number().nullable().optional(),
      requestsCount: z.number().optional(),
      notes,
    }),
  // Which dialog asks shows in the assistants' files, where it may be written a moment later.
  long: ({ sessionId = 'current' }, { chats }) => sessionId === 'current' && chats > MANY_CHATS && 'waits',
  handle: async (deps, input) => await firstRequest(deps, input, deps.clean),
})
