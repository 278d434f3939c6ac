import type { Archive, ArchivedChat, SearchView, WordField } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { confidenceOf } from './confidence.ts'
import { dealt, MOST_DEALT, wordsFirst } from './deal.ts'
import { excludedChat } from './exclude.ts'
import { relatedTerms, withRelated } from './expand.ts'
import { messageFilter } from './filter.ts'
import { forgiving, type Tried } from './fuzzy.ts'
import { type Guidance, guidanceFor } from './guidance.ts'
import { markerOf } from './highlight.ts'
import { type SearchInput, timeOf } from './input.ts'
import { alike, type Meaning, meaningOf } from './meaning.ts'
import { type Query, understand } from './query.ts'
import { type ChatScore, type RankOptions, rank } from './rank.ts'
import { sayable } from './sayable.ts'
import { type Clean, type Marker, type Snippet, snippetOf, titleSnippet } from './snippet.ts'
import { asText } from './text.ts'

export type { SearchInput, SearchState } from './input.ts'

export interface SearchAnswer {
  status: 'ok'
  iterations_used: 1
  /** How likely the first chat is the right one. */
  confidence: number
  totalFound: number
  topChatIds: string[]
  results: ChatResult[]
  guidance: Guidance
  /** Words that stand nowhere, and what was tried instead. */
  tried?: Tried[]
  /** What went wrong without keeping the answer back. */
  notes?: string[]
  /** The answer for people, where `response_mode` is `text`. */
  text?: string
}

export interface ChatResult {
  chatId: string
  sessionId: string
  title: string
  source: string
  workspace?: string
  /** `YYYY-MM-DD` of its last message. */
  date: string
  updatedAt?: number
  relevance: number
  /** Messages that hold any of the words. */
  hits: number
  timeRange: { from?: number; to?: number }
  snippets: Snippet[]
}

const MOST_CHATS = 200
/** Of so many chats, best first, is looked up whether they contain what is excluded. */
const MOST_CHECKED = 1_000
const MOST_SNIPPETS = 200
const WIDEST = 2_000

/**
 * The chats that hold the words, best first. Any text is a valid query as long as it holds a letter
 * or a digit. Sees one state of the archive, whatever is written meanwhile.
 */
export async function searchConversations(
  archive: Archive,
  input: SearchInput,
  clean: Clean = (value) => value,
): Promise<SearchAnswer> {
  const query = understand([input.intent_query ?? input.query ?? ''].flat().map(String))
  if (query.terms.length === 0 && query.phrases.length === 0) {
    throw new RecollectError(
      'INVALID_QUERY',
      'There is nothing to search for in that query.',
      'Give at least one word.',
    )
  }
  const { meaning, note } = fieldsOf(input).includes('said') ? await meaningOf(archive, query) : {}
  const answer = await archive.searching((view) => {
    if (view.documents.messages.said + view.documents.messages.tools + view.documents.messages.title === 0)
      return undefined
    return found(view, query, input, meaning, note, clean)
  })
  if (!answer) {
    throw new RecollectError(
      'NO_SESSIONS',
      'There are no chats in the archive yet.',
      'Run `recollect sync` to read the chats on this machine.',
    )
  }
  return answer
}

function found(
  view: SearchView,
  asked: Query,
  input: SearchInput,
  meaning: Meaning | undefined,
  note: string | undefined,
  clean: Clean,
): SearchAnswer {
  const time = timeOf(input)
  const excludes = [
    ...asked.excluded,
    ...(input.exclude_terms ?? []).map((term) => term.trim().toLowerCase()),
  ].filter(Boolean)
  const limit = within(input.limit_chats ?? input.limit, 10, 1, MOST_CHATS)
  const filter = messageFilter(view, {
    source: input.source,
    workspace: input.workspace,
    roles: input.role_filter,
    ...time,
  })
  const options: RankOptions = {
    fields: fieldsOf(input),
    match: input.match ?? 'any',
    filter,
    ...(meaning && { alike: alike(view, meaning, filter) }),
    most: excludes.length > 0 ? MOST_CHECKED : limit + 1,
    messagesPerChat: snippetsPerChat(input) * 2,
  }
  const { query: corrected, tried } =
    input.precision_mode === 'fuzzy'
      ? forgiving(view, asked, options.fields)
      : { query: asked, tried: [] as Tried[] }
  let query = corrected
  let ranking = rank(view, query, options)
  let related: string[] = []
  if (input.expand === 'auto') {
    const excluded = asked.excluded.concat(input.exclude_terms ?? [])
    const field = options.fields.includes('said') ? 'said' : 'title'
    related = relatedTerms(view, query, ranking, field, excluded).filter(sayable(view, options.fields, clean))
    query = withRelated(query, related)
    ranking = { ...rank(view, query, options), units: asked.units }
  }
  const { checked, dropped } = withoutExcluded(view, ranking.chats, excludes, options.fields, limit + 1)
  const shown = checked.slice(0, limit)
  const confidence = confidenceOf({ ...ranking, chats: checked })
  const mark = markerOf(query)
  const best = shown[0]?.score ?? 1
  // Who asks for a number of snippets a chat gets it; otherwise they are where they tell most.
  const messages =
    input.limit_snippets_per_chat === undefined ? dealt(shown) : shown.map((chat) => wordsFirst(chat.best))
  const results = shown.map((chat, i) =>
    result(view, { ...chat, best: messages[i]! }, chat.score / best, { mark, clean }, input, time),
  )
  const topChatIds = results.map((each) => each.chatId)
  const totalFound = ranking.total - dropped
  const answer: SearchAnswer = {
    status: 'ok',
    iterations_used: 1,
    confidence,
    totalFound,
    topChatIds,
    results,
    guidance: guidanceFor(input, {
      confidence,
      totalFound,
      topChatIds,
      expandedTerms: related,
      excludes,
      units: asked.units,
    }),
    ...(tried.length > 0 && { tried: named(tried, sayable(view, options.fields, clean)) }),
    ...(note !== undefined && { notes: [note] }),
  }
  return input.response_mode === 'text' ? { ...answer, text: asText(answer) } : answer
}

function named(tried: Tried[], isSayable: (term: string) => boolean): Tried[] {
  return tried.map(({ word, instead }) => ({ word, instead: instead.filter(isSayable) }))
}

function fieldsOf(input: SearchInput): WordField[] {
  const scope = input.scope ?? 'both'
  const fields: WordField[] = []
  if (scope !== 'title') {
    fields.push('said', 'thought')
    if (input.include_tools_in_search ?? true) fields.push('tools')
  }
  // A title is nobody's message.
  if (scope === 'title' || (scope === 'both' && !input.role_filter)) fields.push('title')
  return fields
}

/** The first chats that do not contain what is excluded, and how many were passed over. */
function withoutExcluded(
  view: SearchView,
  chats: ChatScore[],
  excludes: string[],
  fields: WordField[],
  most: number,
): { checked: ChatScore[]; dropped: number } {
  if (excludes.length === 0) return { checked: chats, dropped: 0 }
  const checked: ChatScore[] = []
  let dropped = 0
  for (const chat of chats) {
    if (checked.length === most) break
    if (excludedChat(view, chat.key, excludes, fields)) dropped++
    else checked.push(chat)
  }
  return { checked, dropped }
}

function result(
  view: SearchView,
  found: ChatScore,
  relevance: number,
  { mark, clean }: { mark: Marker; clean: Clean },
  input: SearchInput,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number },
): ChatResult {
  const chat = clean(view.chat(found.key))
  const most = snippetsPerChat(input)
  const window = within(input.snippet_window, 64, 8, WIDEST)
  const snippets: Snippet[] = []
  for (const { key, score } of found.best) {
    if (snippets.length >= most) break
    const message = view.saidIn(key)
    const at = message.createdAt ?? chat.updatedAt ?? 0
    if (message.createdAt !== undefined && (at < from || at > to)) continue
    const whole = () => view.message(key)
    const withTools = input.include_tools_in_search ?? true
    snippets.push(snippetOf(message, whole, { mark, clean }, window, rounded(score), withTools))
  }
  if (found.inTitle && snippets.length < (input.limit_snippets_per_chat ?? 1))
    snippets.push(titleSnippet(chat, mark))
  return {
    chatId: chat.id,
    sessionId: chat.id,
    title: chat.title,
    source: chat.source,
    workspace: chat.workspace,
    date: dayOf(chat),
    updatedAt: chat.updatedAt,
    relevance: rounded(relevance),
    hits: found.hits,
    timeRange: { from: chat.createdAt, to: chat.updatedAt },
    snippets,
  }
}

/** At most; where none were asked for, they are dealt. */
function snippetsPerChat({ limit_snippets_per_chat: given }: SearchInput): number {
  return within(given, MOST_DEALT, 0, MOST_SNIPPETS)
}

function dayOf({ updatedAt, createdAt }: ArchivedChat): string {
  const at = new Date(updatedAt ?? createdAt ?? 0)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function rounded(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1e5) / 1e5
}

function within(given: number | undefined, otherwise: number, least: number, most: number): number {
  if (given === undefined || !Number.isFinite(given)) return otherwise
  return Math.min(most, Math.max(least, Math.floor(given)))
}
