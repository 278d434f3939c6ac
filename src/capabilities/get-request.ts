import { z } from 'zod'
import { capability, longChat } from './capability.ts'
import { checkedByHandler, sessionId } from './fields.ts'
import { askedChat, notes, via } from './shapes.ts'

export const getRequest = capability({
  name: 'get_request',
  title: 'One request',
  description:
    "The exact words of the user's nth request, in this chat or another. Use it after compaction, when you no longer see what was asked.",
  set: 'recall',
  acts: ['read'],
  input: () =>
    z
      .object({
        index: checkedByHandler({
          type: 'integer',
          minimum: 1,
          description: 'Number of the request, 1 = first',
        }),
        sessionId,
      })
      // Hosts are to ask for it; a call without it is answered in the words of the contract.
      .meta({ required: ['index'] }),
  output: () =>
    z.object({
      ...askedChat,
      request: z.string().optional(),
      index: z.number().optional(),
      timestamp: z.number().nullable().optional(),
      via,
      totalRequests: z.number().optional(),
      leftOut: z.object({ characters: z.number(), how: z.string() }).optional(),
      notes,
    }),
  long: ({ sessionId = 'current' }, size) => longChat(sessionId, size),
  async handle(deps, input) {
    const { oneRequest } = await import('../recall/requests.ts')
    return await oneRequest(deps, input, deps)
  },
})
