import { z } from 'zod'
import { searchConversations } from '../capabilities/search-conversations.ts'
import type { SearchInput } from '../search/input.ts'
import { noterFor } from '../service/noter.ts'
import { callerOf, readerOf } from './caller.ts'
import { chat } from './fields.ts'
import { type Route, route } from './route.ts'

const facet = z.array(z.object({ value: z.string(), chats: z.number() }))
/** What was asked, not how much of it was shown. */
const asked = searchConversations.input.omit({ cursor: true, state: true, response_mode: true })
const saved = z.object({
  name: z.string(),
  input: asked.describe('As `search_conversations` takes it'),
  savedAt: z.number(),
})
const name = z.string().min(1).max(200)

/** What is around a search: what it can be narrowed by, searches that are kept, and chats that are starred. */
export const searchRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/v1/facets',
    summary:
      'What a search, or the list of chats without words, can be narrowed by: how many chats each leaves',
    tag: 'archive',
    body: searchConversations.input,
    answer: z.object({ source: facet, workspace: facet, model: facet, role: facet, month: facet }),
    handle: ({ backend, body, entry, request }) =>
      readerOf(entry, backend, undefined, request.signal).facets(body as SearchInput),
  }),
  route({
    method: 'get',
    path: '/api/v1/searches',
    summary: 'Searches that the owner saved, by name',
    tag: 'archive',
    answer: z.object({ searches: z.array(saved) }),
    handle: async ({ backend, entry }) => ({
      searches: await readerOf(entry, backend).savedSearches(),
    }),
  }),
  route({
    method: 'put',
    path: '/api/v1/searches',
    summary: 'Save a search by a name; one of the same name is replaced',
    tag: 'owner',
    owner: true,
    body: z.strictObject({ name, input: asked }),
    answer: saved,
    handle: ({ backend, body, entry }) =>
      noterFor(backend.shared, callerOf(entry, backend)).saveSearch(body.name, body.input),
  }),
  route({
    method: 'delete',
    path: '/api/v1/searches/{name}',
    summary: 'Remove a saved search',
    tag: 'owner',
    owner: true,
    params: z.object({ name }),
    answer: z.object({ removed: z.string() }),
    async handle({ backend, params, entry }) {
      await noterFor(backend.shared, callerOf(entry, backend)).removeSearch(params.name)
      return { removed: params.name }
    },
  }),
  route({
    method: 'put',
    path: '/api/v1/chats/{chat}/notes',
    summary: "The owner's notes of a chat: a star, a name of their own, that it is put away",
    tag: 'owner',
    owner: true,
    params: z.object({ chat }),
    body: z.strictObject({
      pinned: z.boolean().optional().describe('Starred'),
      name: z.string().max(1_000).optional().describe('Empty: the title that its assistant gave it'),
      archived: z.boolean().optional(),
    }),
    answer: z.object({
      title: z.string(),
      name: z.string().optional(),
      pinned: z.boolean(),
      archived: z.boolean(),
    }),
    async handle({ backend, params, body, entry }) {
      const noted = await noterFor(backend.shared, callerOf(entry, backend)).note(params.chat, body)
      const { title, name: own, pinned = false, archived = false } = noted
      return { title, ...(own !== undefined && { name: own }), pinned, archived }
    },
  }),
]
