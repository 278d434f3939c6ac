import { z } from 'zod'
import { capability, longChat, MANY_MESSAGES } from './capability.ts'
import { chatIds, cursor, maxChars } from './fields.ts'
import { agentMessage, chatHeader, notes, notFound, ORIGIN, timeRange } from './shapes.ts'

export const gatherChats = capability({
  name: 'gather_chats',
  title: 'Gather chats',
  description:
    'The messages of a chat, or of several merged in time order with the passages they share and where they differ. Long answers end with leftOut.cursor: pass it on for the rest.',
  set: 'recall',
  acts: ['read'],
  input: () =>
    z.object({
      chatIds,
      includeTools: z.boolean().optional().describe('false: no tool calls'),
      roles: z
        .array(z.enum(['user', 'assistant', 'system', 'tool']))
        .optional()
        .describe('Only what these said'),
      from: z.number().optional().describe('First message index, from 0'),
      to: z.number().optional().describe('Last message index'),
      max_chars: maxChars,
      cursor,
    }),
  output: () =>
    z.object({
      chat: chatHeader()
        .pick({ id: true, title: true, source: true, workspace: true, ...ORIGIN, messageCount: true })
        .extend({ timeRange })
        .optional()
        .describe('Of one chat'),
      messages: z.array(agentMessage()).optional(),
      meta: z
        .array(
          chatHeader()
            .pick({ id: true, title: true, source: true, author: true, machine: true, messageCount: true })
            .extend({
              chatIdx: z.number(),
              timeRange,
              sharedWithFork: z.number().optional(),
            }),
        )
        .optional()
        .describe('Of several chats'),
      narrative: z.array(agentMessage().extend({ chatIdx: z.number() })).optional(),
      commonAlignment: z
        .array(
          z.object({
            role: z.string(),
            content: z.string(),
            refs: z.array(z.object({ chatIdx: z.number(), index: z.number(), messageIdPrefix: z.string() })),
          }),
        )
        .optional(),
      differences: z
        .array(
          z.object({
            chatIdx: z.number(),
            only: z.array(z.object({ index: z.number(), role: z.string(), content: z.string() })),
          }),
        )
        .optional(),
      notFound,
      leftOut: z
        .object({
          messages: z.number(),
          cursor: z.string().optional(),
          cutToolTexts: z.number().optional(),
          commonAlignment: z.number().optional(),
          differences: z.number().optional(),
          how: z.string(),
        })
        .optional(),
      notes,
    }),
  long: ({ chatIds: [first = '', ...others] }, size) =>
    others.length > 0 ? size.messages > MANY_MESSAGES : longChat(first, size, MANY_MESSAGES),
  handle: async (deps, input) => {
    const { gatherChats: gathered } = await import('../recall/gather.ts')
    const max_chars = input.max_chars ?? deps.room
    return { ...(await gathered(deps, { ...input, max_chars }, deps.clean)) }
  },
})
