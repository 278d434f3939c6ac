import type { Archive, ChatFilter, Match, WordSearch } from '../archive/archive.ts'
import type { Role } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import { type QueryWord, queryWords } from '../model/words.ts'
import { type Snippet, snippetOf, titleSnippet } from './snippet.ts'

export interface SearchInput {
  intent_query: string | string[]
  role_filter?: Role[]
  include_tools_in_search?: boolean
  match?: 'any' | 'all'
  limit_chats?: number
  limit_snippets_per_chat?: number
  snippet_window?: number
  workspace?: string
  source?: string
  dateFrom?: number
  dateTo?: number
}

export interface SearchAnswer {
  status: 'ok'
  totalFound: number
  topChatIds: string[]
  results: ChatResult[]
}

export interface ChatResult {
  chatId: string
  sessionId: string
  title: string
  source: string
  workspace?: string
  date: number
  relevance: number
  hits: number
  timeRange: { from?: number; to?: number }
  snippets: Snippet[]
}

const CANDIDATES = 400

/** The chats that hold the words, best first: those with all of them before those with some. */
export async function searchConversations(archive: Archive, input: SearchInput): Promise<SearchAnswer> {
  const phrases = [input.intent_query].flat().flatMap(phrasesOf)
  if (phrases.length === 0) {
    throw new RecollectError(
      'INVALID_QUERY',
      'There is nothing to search for in that query.',
      'Give at least one word.',
    )
  }
  const filter: ChatFilter & { roles?: Role[] } = {
    source: input.source,
    workspace: input.workspace,
    updatedFrom: input.dateFrom,
    updatedTo: input.dateTo,
    roles: input.role_filter,
    subagents: true,
  }
  const search: WordSearch = {
    groups: phrases,
    join: 'all',
    fields: (input.include_tools_in_search ?? true) ? ['said', 'thought', 'tools'] : ['said', 'thought'],
    filter,
    limit: CANDIDATES,
  }
  const all = await archive.find(search)
  const some =
    input.match === 'all' || phrases.length === 1 ? [] : await archive.find({ ...search, join: 'any' })
  const ranked = byChat([...all.map((match) => ({ ...match, score: match.score * 2 + 10 })), ...some])
  const words = phrases.flat()
  const shown = ranked.slice(0, input.limit_chats ?? 10)
  const best = shown[0]?.score ?? 1
  const results = shown.map(({ score, matches }) => result(matches, score / best, words, input))
  return { status: 'ok', totalFound: ranked.length, topChatIds: results.map((each) => each.chatId), results }
}

/** Quoted parts are phrases; every other word stands for itself. */
function phrasesOf(query: string): QueryWord[][] {
  const phrases: QueryWord[][] = []
  for (const [, quoted, plain] of query.slice(0, 10_000).matchAll(/"([^"]*)"|([^"]+)/g)) {
    const words = queryWords(quoted ?? plain ?? '')
    if (quoted !== undefined) phrases.push(words)
    else phrases.push(...words.map((word) => [word]))
  }
  return phrases.filter((phrase) => phrase.length > 0).slice(0, 64)
}

interface RankedChat {
  score: number
  matches: Match[]
}

function byChat(matches: Match[]): RankedChat[] {
  const chats = new Map<number, { best: Map<number, Match>; titles: Match[] }>()
  for (const match of matches) {
    const chat = chats.get(match.chat.key) ?? { best: new Map<number, Match>(), titles: [] as Match[] }
    chats.set(match.chat.key, chat)
    if (!match.message) chat.titles.push(match)
    else if ((chat.best.get(match.message.key)?.score ?? 0) < match.score)
      chat.best.set(match.message.key, match)
  }
  return [...chats.values()]
    .map(({ best, titles }) => {
      const messages = [...best.values()].sort((a, b) => b.score - a.score)
      // The best message decides; more of them, and the title, add to it.
      const more = messages.slice(1, 6).reduce((sum, match) => sum + match.score * 0.1, 0)
      const title = Math.max(0, ...titles.map((match) => match.score)) * 0.5
      return { score: (messages[0]?.score ?? 0) + more + title, matches: [...messages, ...titles] }
    })
    .sort((a, b) => b.score - a.score)
}

function result(matches: Match[], relevance: number, words: QueryWord[], input: SearchInput): ChatResult {
  const { chat } = matches[0]!
  const times = matches.flatMap((match) => match.message?.createdAt ?? [])
  const snippets = matches
    .slice(0, input.limit_snippets_per_chat ?? 3)
    .map((match) =>
      match.message ? snippetOf(match.message, words, input.snippet_window ?? 64) : titleSnippet(chat),
    )
  return {
    chatId: chat.id,
    sessionId: chat.id,
    title: chat.title,
    source: chat.source,
    workspace: chat.workspace,
    date: chat.updatedAt ?? 0,
    relevance: Math.round(relevance * 1000) / 1000,
    hits: matches.length,
    timeRange: {
      from: times.length ? Math.min(...times) : chat.createdAt,
      to: times.length ? Math.max(...times) : chat.updatedAt,
    },
    snippets,
  }
}
