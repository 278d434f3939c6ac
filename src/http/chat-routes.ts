import { z } from 'zod'
import { findInChat, openedChat, readMessage, readMessages } from '../recall/reader.ts'
import { sourceName } from '../sources/names.ts'
import { chat, cleanerFor, reveal } from './fields.ts'
import { type Route, route } from './route.ts'

const index = z.coerce.number().int().min(0)

const relative = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string(),
  messageCount: z.number(),
})

const message = z.looseObject({
  index: z.number(),
  id: z.string(),
  role: z.string(),
  kind: z.string(),
  createdAt: z.number().optional(),
  text: z.string(),
  cut: z.literal(true).optional().describe('A text of it is longer than is shown'),
})

/** Reading one chat: what stands before it, its messages a page at a time, and where words are in it. */
export const chatRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}',
    summary: 'A chat, its relatives and an outline of it',
    tag: 'chats',
    params: z.object({ chat }),
    query: z.object({ reveal }),
    answer: z.object({
      chat: z.looseObject({
        id: z.string(),
        source: z.string(),
        sourceName: z.string(),
        title: z.string(),
        messageCount: z.number(),
        requestCount: z.number(),
        models: z.array(z.string()),
        filePaths: z.array(z.string()),
      }),
      relatives: z.object({
        parent: relative.optional(),
        original: relative.optional(),
        subagents: z.array(relative),
        forks: z.array(relative),
      }),
      requests: z.array(
        z.object({
          n: z.number(),
          index: z.number(),
          preview: z.string(),
          createdAt: z.number().optional(),
        }),
      ),
      sizes: z.array(z.number()),
    }),
    async handle({ desk, params, query, entry }) {
      const opened = await openedChat(desk.shared.archive, params.chat, cleanerFor(entry, query.reveal))
      return { ...opened, chat: { ...opened.chat, sourceName: sourceName(opened.chat.source) } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/messages',
    summary: 'Messages of a chat, at most 200 of them',
    tag: 'chats',
    params: z.object({ chat }),
    query: z.object({
      from: z.int().min(0).default(0),
      to: z.int().min(0).optional().describe('The last one, counted; default: 100 messages'),
      reveal,
    }),
    answer: z.object({ messages: z.array(message), total: z.number() }),
    handle: async ({ desk, params, query: { from, to = from + 99, reveal: asked }, entry }) =>
      await readMessages(desk.shared.archive, params.chat, { from, to }, cleanerFor(entry, asked)),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/messages/{index}',
    summary: 'One message, whole',
    tag: 'chats',
    params: z.object({ chat, index }),
    query: z.object({ reveal }),
    answer: z.object({ message }),
    handle: async ({ desk, params, query, entry }) => ({
      message: await readMessage(
        desk.shared.archive,
        params.chat,
        params.index,
        cleanerFor(entry, query.reveal),
      ),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/find',
    summary: 'Which messages of a chat hold these words, letter for letter',
    tag: 'chats',
    params: z.object({ chat }),
    query: z.object({ q: z.string().min(1).max(1_000), reveal }),
    answer: z.object({ hits: z.array(z.object({ index: z.number(), count: z.number() })) }),
    handle: async ({ desk, params, query, entry }) =>
      await findInChat(desk.shared.archive, params.chat, query.q, cleanerFor(entry, query.reveal)),
  }),
]
