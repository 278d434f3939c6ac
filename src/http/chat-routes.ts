import { z } from 'zod'
import { chatHeader, readMessage, relative } from '../capabilities/shapes.ts'
import { sourceName } from '../sources/names.ts'
import { citation } from './agent-shapes.ts'
import { readerOf } from './caller.ts'
import { chat, reveal } from './fields.ts'
import { type Route, route } from './route.ts'

const index = z.int().min(0)

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
      chat: chatHeader()
        .omit({ parentId: true, forkOf: true, subagent: true })
        .extend({ sourceName: z.string(), filePaths: z.array(z.string()) }),
      relatives: z.object({
        parent: relative().optional(),
        original: relative().optional(),
        subagents: z.array(relative()),
        forks: z.array(relative()),
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
      focus: z.array(z.number()).describe('What was asked and finally answered: indexes of messages'),
    }),
    async handle({ backend, params, query, entry }) {
      const opened = await readerOf(entry, backend, query.reveal).open(params.chat)
      return { ...opened, chat: { ...opened.chat, sourceName: sourceName(opened.chat.source) } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/citations',
    summary: 'Places in chats that a text names, each looked up: whether it exists and says what is quoted',
    tag: 'chats',
    body: z.strictObject({ text: z.string().max(1_000_000) }),
    answer: z.object({ citations: z.array(citation) }),
    handle: async ({ backend, body, entry }) => ({
      citations: await readerOf(entry, backend).citations(body.text),
    }),
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
    answer: z.object({ messages: z.array(readMessage()), total: z.number() }),
    handle: async ({ backend, params, query: { from, to = from + 99, reveal: asked }, entry }) =>
      await readerOf(entry, backend, asked).messages(params.chat, { from, to }),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/messages/{index}',
    summary: 'One message, whole',
    tag: 'chats',
    params: z.object({ chat, index }),
    query: z.object({ reveal }),
    answer: z.object({ message: readMessage() }),
    handle: async ({ backend, params, query, entry }) => ({
      message: await readerOf(entry, backend, query.reveal).message(params.chat, params.index),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/steps',
    summary: 'What the assistant said in a part of a chat, a line each: a table of contents of a long turn',
    tag: 'chats',
    params: z.object({ chat }),
    query: z.object({ from: z.int().min(0), to: z.int().min(0), reveal }),
    answer: z.object({
      steps: z
        .array(z.object({ index: z.number(), preview: z.string() }))
        .describe('At most 300; of more, every second, third …'),
      all: z.number().describe('How many there are'),
    }),
    handle: async ({ backend, params, query: { from, to, reveal: asked }, entry }) =>
      await readerOf(entry, backend, asked).steps(params.chat, { from, to }),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/find',
    summary: 'Which messages of a chat hold these words',
    tag: 'chats',
    params: z.object({ chat }),
    query: z.object({
      q: z.string().min(1).max(1_000),
      as: z
        .enum(['letters', 'search'])
        .default('letters')
        .describe('search: as a search takes them, other forms and translations included'),
      fuzzy: z.boolean().optional().describe('As a search with `precision_mode: fuzzy` takes them'),
      expand: z
        .boolean()
        .optional()
        .describe('As a search with `expand: auto` takes them: related words too'),
      reveal,
    }),
    answer: z.object({
      hits: z.array(z.object({ index: z.number(), count: z.number() })),
      words: z.array(z.string()).describe('What was found, as it is written in the chat, in small letters'),
    }),
    handle: async ({ backend, params, query, entry }) =>
      await readerOf(entry, backend, query.reveal).find(params.chat, query.q, query.as, {
        ...(query.fuzzy && { precision_mode: 'fuzzy' }),
        ...(query.expand && { expand: 'auto' }),
      }),
  }),
]
