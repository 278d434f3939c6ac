import { z } from 'zod'
import { capability, longChat } from './capability.ts'
import { checkedByHandler, sessionId } from './fields.ts'
import { askedChat, notes, via } from './shapes.ts'

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
      ...askedChat,
      totalRequests: z.number().optional(),
      requests: z
        .array(z.object({ index: z.number(), preview: z.string(), timestamp: z.number().nullable(), via }))
        .optional(),
      notes,
    }),
  long: ({ sessionId = 'current' }, size) => longChat(sessionId, size),
  async handle(deps, input) {
    const { listRequests: requestsIn } = await import('../recall/requests.ts')
    return await requestsIn(deps, input, deps)
  },
})
