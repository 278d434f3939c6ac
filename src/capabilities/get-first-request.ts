import { z } from 'zod'
import { capability, longChat } from './capability.ts'
import { sessionId } from './fields.ts'
import { askedChat, notes } from './shapes.ts'

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
      ...askedChat,
      firstRequest: z.string().optional(),
      timestamp: z.number().nullable().optional(),
      requestsCount: z.number().optional(),
      notes,
    }),
  long: ({ sessionId = 'current' }, size) => longChat(sessionId, size),
  async handle(deps, input) {
    const { firstRequest } = await import('../recall/requests.ts')
    return await firstRequest(deps, input, deps.clean)
  },
})
