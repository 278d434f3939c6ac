import { z } from 'zod'
import { shortIds } from '../recall/short-ids.ts'
import { BRIEF_CHARS, brief } from '../search/brief.ts'
import type { SearchAnswer, SearchInput } from '../search/search.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import { capability, MANY_MESSAGES } from './capability.ts'
import { cursor, narrowing, origin, timeWindow } from './fields.ts'
import { anyJson, chatHeader, notes, ORIGIN, snippet } from './shapes.ts'

const words = z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(64)])
const day = z.union([z.string(), z.number()]).optional()

export const searchConversations = capability({
  name: 'search_conversations',
  title: 'Search past chats',
  description:
    'Searches every past chat with any AI assistant on this machine; gives chats, snippets, confidence and what to call next. Use it before saying that something was not discussed, and whenever the user refers to earlier work.',
  set: 'search',
  acts: ['read'],
  archiveOnly: true,
  input: () =>
    z.object({
      intent_query: words.optional().describe('What to find: words, "exact phrase", -excluded; or a list'),
      query: words.optional().describe('Same as intent_query'),
      regex: z.string().max(1_000).optional().describe('Regular expression, instead of words'),
      time_window: timeWindow,
      dateFrom: day.describe('First day, YYYY-MM-DD'),
      dateTo: day.describe('Last day'),
      precision_mode: z.enum(['basic', 'fuzzy']).optional().describe('fuzzy: also word forms, parts'),
      expand: z.enum(['off', 'auto']).optional().describe('auto: also related words'),
      include_tools_in_search: z.boolean().optional().describe('false: not in tool calls'),
      scope: z.enum(['content', 'title', 'both']).optional().describe('Default both'),
      role_filter: z
        .array(z.enum(['user', 'assistant', 'system', 'tool']))
        .optional()
        .describe('Only what these said'),
      exclude_terms: z.array(z.string().max(1_000)).max(64).optional().describe('Not with these words'),
      match: z.enum(['any', 'all']).optional().describe('all: only chats with every word'),
      limit_chats: z.int().min(1).max(200).optional().describe('Chats at most, default 10'),
      limit: z.int().min(1).max(200).optional().describe('Same as limit_chats'),
      limit_snippets_per_chat: z.int().min(0).max(200).optional().describe('Per chat, default 3'),
      snippet_window: z.int().min(8).max(2_000).optional().describe('Words around a hit, default 64'),
      ...narrowing,
      ...origin,
      sort: z.enum(['relevance', 'date']).optional().describe('date: newest first'),
      response_mode: z.enum(['json', 'text']).optional().describe('text: shorter'),
      cursor,
      state: z.looseObject({}).optional().describe('guidance.state of the previous answer'),
    }),
  output: () =>
    z.object({
      status: z.string(),
      iterations_used: z.number(),
      confidence: z.number(),
      totalFound: z.number(),
      topChatIds: z.array(z.string()),
      results: z.array(
        chatHeader()
          .pick({ title: true, source: true, workspace: true, ...ORIGIN })
          .extend({
            chatId: z.string(),
            sessionId: z.string(),
            date: z.string(),
            updatedAt: z.number().optional(),
            relevance: z.number(),
            hits: z.number(),
            timeRange: z.object({ from: z.number().optional(), to: z.number().optional() }),
            pinned: z.literal(true).optional().describe('Starred'),
            snippets: z.array(snippet()),
          }),
      ),
      guidance: z.object({
        stopIf: z.string(),
        nextActions: z.array(
          z.object({ tool: z.string(), args: z.record(z.string(), anyJson), why: z.string() }),
        ),
        state: z.object({
          expandedTerms: z.array(z.string()),
          excludes: z.array(z.string()),
          iteration: z.number(),
          tried: z.array(z.string()),
        }),
      }),
      tried: z.array(z.object({ word: z.string(), instead: z.array(z.string()) })).optional(),
      translated: z.array(z.object({ word: z.string(), as: z.array(z.string()) })).optional(),
      timeFilter: z
        .object({
          words: z.string(),
          from: z.number().optional(),
          to: z.number().optional(),
          lifted: z.literal(true).optional(),
        })
        .optional(),
      nextCursor: z.string().optional(),
      text: z.string().optional(),
      notes,
    }),
  first: ['status', 'confidence', 'totalFound', 'guidance'],
  brief: {
    chars: BRIEF_CHARS,
    sizes: ['limit_chats', 'limit', 'limit_snippets_per_chat', 'snippet_window'],
    of: async ({ archive }, input, answer, options) => {
      const named = answer.results.map(({ chatId: id, source }) => ({ id, source }))
      const nameOf = await shortIds(archive, named)
      return brief(answer as SearchAnswer, input as SearchInput, { ...options, nameOf })
    },
  },
  long: ({ regex }, { messages }) => regex !== undefined && messages > MANY_MESSAGES,
  handle: async (deps, input) => {
    const { searchConversations: search } = await import('../search/search.ts')
    // What our own agent said before is not what it looks for, unless it asks for it.
    const isOurs = deps.caller.assistant === AGENT_SOURCE && input.source === undefined
    const asked = { ...(input as SearchInput), ...(isOurs && { withoutSource: AGENT_SOURCE }) }
    return { ...(await search(deps.archive, asked, deps.clean)) }
  },
})
