import type { Archive, ArchivedChat, SearchView, WordField } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { termsOfWord } from '../model/terms.ts'
import { confidenceOf } from './confidence.ts'
import { dealt, MOST_DEALT, wordsFirst } from './deal.ts'
import { excludedChat } from './exclude.ts'
import { messageFilter } from './filter.ts'
import { type Guidance, guidanceFor } from './guidance.ts'
import { markerOf } from './highlight.ts'
import { type SearchInput, timeOf } from './input.ts'
import type { Translated } from './languages/translate.ts'
import { nearestWords, withNearWords } from './meaning/nearest.ts'
import { alike, type Meaning, meaningOf } from './meaning.ts'
import { type Query, understand } from './query.ts'
import { type ChatScore, type RankOptions, rank } from './rank.ts'
import { sayable } from './sayable.ts'
import { bits } from './score.ts'
import { type Clean, type Marker, type Snippet, snippetOf, titleSnippet } from './snippet.ts'
import type { Tried } from './spelling.ts'
import { asText } from './text.ts'
import { isTimeAlone, type TimeFilter, timedQuery } from './time.ts'
import { chatsOfTheTime } from './time-chats.ts'
import { type Understood, understoodIn } from './understood.ts'
import { weights } from './weights.ts'

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
  /** Words that were also looked for in other languages. */
  translated?: Translated[]
  /** The time that the words named. */
  timeFilter?: TimeFilter
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
 * Who names a date may mean when it was done, not when it was talked of: it narrows the search only where
 * the best chats of that time hold nearly as many of the words as the best of any time.
 */
const ENOUGH = 0.7
const LOOKED_AT = 3
/** How sure an answer is that was asked for by its time alone: it is all there was. */
const TIME_ALONE = 0.6

/**
 * The chats that hold the words, best first. Any text is a valid query as long as it holds a letter
 * or a digit. Sees one state of the archive, whatever is written meanwhile.
 */
export async function searchConversations(
  archive: Archive,
  input: SearchInput,
  clean: Clean = (value) => value,
): Promise<SearchAnswer> {
  if (input.regex) {
    const { regexAnswer } = await import('./regex-answer.ts')
    const answer = await regexAnswer(archive, input, fieldsOf(input), clean)
    return input.response_mode === 'text' ? { ...answer, text: asText(answer) } : answer
  }
  const texts = [input.intent_query ?? input.query ?? ''].flat().map(String)
  const query = understand(texts)
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
    const anyTime = () => found(view, query, input, meaning, note, clean)
    const timed = timedQuery(texts, input)
    if (!timed) return anyTime().answer
    const within = found(view, timed.query, input, meaning, note, clean, timed.filter)
    const isKept =
      within.answer.totalFound > 0 &&
      (timed.isRelative || isTimeAlone(timed.query) || within.parts >= ENOUGH * anyTime().parts)
    if (isKept) return { ...within.answer, timeFilter: timed.filter }
    return { ...anyTime().answer, timeFilter: { ...timed.filter, lifted: true as const } }
  })
  if (!answer) {
    throw new RecollectError(
      'NO_SESSIONS',
      'There are no chats in the archive yet.',
      'Run `recollect sync` to read the chats on this machine.',
    )
  }
  return input.response_mode === 'text' ? { ...answer, text: asText(answer) } : answer
}

function found(
  view: SearchView,
  asked: Query,
  input: SearchInput,
  meaning: Meaning | undefined,
  note: string | undefined,
  clean: Clean,
  when?: TimeFilter,
): { answer: SearchAnswer; parts: number } {
  const time = when ? { from: when.from, to: when.to } : timeOf(input)
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
  const isTime = when !== undefined && isTimeAlone(asked)
  const isSayable = sayable(view, options.fields, clean)
  const understood: Understood = isTime
    ? { query: asked }
    : understoodIn(view, asked, options.fields, input, isSayable)
  let { query } = understood
  const isRelated = (term: string) => !isExcluded(term, excludes) && isSayable(term)
  const related =
    input.expand === 'auto' && !isTime ? nearestWords(view, query, options.fields, isRelated) : []
  query = withNearWords(query, related, weights.related)
  const ranking = isTime ? chatsOfTheTime(view, filter, options) : rank(view, query, options)
  const { checked, dropped } = withoutExcluded(view, ranking.chats, excludes, options.fields, limit + 1)
  const shown = checked.slice(0, limit)
  const confidence = isTime ? TIME_ALONE : confidenceOf({ ...ranking, chats: checked })
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
      expandedTerms: related.flatMap(({ instead }) => instead),
      excludes,
      units: asked.units,
    }),
    ...(understood.tried && { tried: understood.tried }),
    ...(understood.translated && { translated: understood.translated }),
    ...(note !== undefined && { notes: [note] }),
  }
  return { answer, parts: Math.max(0, ...checked.slice(0, LOOKED_AT).map(({ units }) => bits(units))) }
}

function isExcluded(term: string, excludes: string[]): boolean {
  return excludes.some((literal) => termsOfWord(literal).includes(term))
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
