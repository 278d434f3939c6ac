import type { Archive, SearchView, WordField } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { termsOfWord } from '../model/terms.ts'
import type { SearchAnswer } from './answer.ts'
import { confidenceIn } from './confidence.ts'
import { dealt, leftOf, MORE_CHATS, wordsFirst } from './deal.ts'
import { MOST_ECHOES, originalsFirst, surelyFirst, WEIGHED } from './echo.ts'
import { exclusion, type Kept, withoutExcluded } from './exclude.ts'
import { type MessageFilter, messageFilter, narrowingOf } from './filter.ts'
import { FEW, guidanceFor } from './guidance.ts'
import { markerOf } from './highlight.ts'
import { cursorAt, placeOf, type SearchInput, timeOf } from './input.ts'
import { lastStep, noteOf } from './last-step.ts'
import { nearestWords, withNearWords } from './meaning/nearest.ts'
import { alike, type Meaning, meaningOf } from './meaning.ts'
import { withUniqueIds } from './named-chats.ts'
import { onlyTranslated } from './only-translated.ts'
import { regexOf } from './pattern.ts'
import { phraseNotes } from './phrase.ts'
import { bringsMore, isForAll, isForWords, isSame, surelyBrings } from './proposals.ts'
import { type Query, understand } from './query.ts'
import { type ChatScore, type RankOptions, rank } from './rank.ts'
import { clamped, resultOf, snippetsPerChat } from './result.ts'
import { sayable } from './sayable.ts'
import { bits } from './score.ts'
import type { Clean } from './snippet.ts'
import { asText } from './text.ts'
import { isTimeAlone, type TimeFilter, timedQuery } from './time.ts'
import { chatsOfTheTime, noneThen } from './time-chats.ts'
import { type Understood, understoodIn } from './understood.ts'
import { weights } from './weights.ts'

export type { SearchAnswer } from './answer.ts'
export type { SearchInput } from './input.ts'

const MOST_CHATS = 200
/** What is excluded is counted out of all chats where they are few, else out of so many: each is read as a whole for it. */
const COUNTED = 30
/**
 * Who names a date may mean when it was done, not when it was talked of: it narrows the search only where
 * the best chats of that time hold nearly as many of the words as the best of any time.
 */
const ENOUGH = 0.7
const LOOKED_AT = 3
/** How sure an answer is that was asked for by its time alone: it is all there was. */
const TIME_ALONE = 0.7
/** How sure at the most where none of the words was found, only others that mean something like them. */
const LAST_STEP = 0.1

/**
 * The chats that hold the words, best first. Any text is a valid query as long as it holds a letter
 * or a digit. Sees one state of the archive, whatever is written meanwhile.
 */
export async function searchConversations(
  archive: Archive,
  input: SearchInput,
  clean: Clean = (value) => value,
): Promise<SearchAnswer> {
  const regex = regexOf(input)
  if (regex) {
    const { regexAnswer } = await import('./regex-answer.ts')
    const matched = await regexAnswer(archive, { ...input, regex }, fieldsOf(input), clean)
    const answer = await withUniqueIds(archive, matched)
    return input.response_mode === 'text' ? { ...answer, text: asText(answer) } : answer
  }
  const texts = [input.intent_query ?? input.query ?? ''].flat().map(String)
  const query = understand(texts)
  if (query.terms.length === 0 && query.phrases.length === 0) {
    const onlyExcludes = query.excluded.length > 0 || (input.exclude_terms ?? []).length > 0
    throw new RecollectError(
      'INVALID_QUERY',
      onlyExcludes
        ? 'There is nothing to search for: the query only excludes words.'
        : 'There is nothing to search for in that query.',
      onlyExcludes
        ? 'Add a word to find: `stock -deadlock` finds chats about stock without "deadlock".'
        : 'Give at least one word; signs are found by a regular expression.',
    )
  }
  const { meaning, note } = fieldsOf(input).includes('said') ? await meaningOf(archive, query) : {}
  const told = await archive.searching((view) => {
    if (view.documents.messages.said + view.documents.messages.tools + view.documents.messages.title === 0)
      return undefined
    let known: Found | undefined
    const anyTime = () => (known ??= found(view, { query, input, meaning, note, clean }))
    const timed = timedQuery(texts, input)
    if (!timed) return anyTime().answer()
    const { query: rest, filter: when } = timed
    const within = found(view, { query: rest, input, meaning, note, clean, when })
    const isAlone = isTimeAlone(rest)
    const none = isAlone && within.totalFound === 0 ? noneThen(view, when) : []
    const isKept = timed.isRelative
      ? isAlone || within.totalFound > 0
      : within.totalFound > 0 && (isAlone || within.parts >= ENOUGH * anyTime().parts)
    // Others than those of last week, because they say "week", would be a wrong memory.
    if (isKept) return withNotes({ ...within.answer(), timeFilter: when }, none)
    return withNotes({ ...anyTime().answer(), timeFilter: { ...when, lifted: true as const } }, none)
  })
  if (!told) {
    throw new RecollectError(
      'NO_SESSIONS',
      'There are no chats in the archive yet.',
      'Run `recollect sync` to read the chats on this machine.',
    )
  }
  const answer = await withUniqueIds(archive, told)
  return input.response_mode === 'text' ? { ...answer, text: asText(answer) } : answer
}

function withNotes(answer: SearchAnswer, notes: string[]): SearchAnswer {
  return notes.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...notes] }
}

export interface Asked {
  query: Query
  input: SearchInput
  meaning: Meaning | undefined
  note: string | undefined
  clean: Clean
  /** The time that the words named. */
  when?: TimeFilter
  /** Sees all that was found. */
  seen?: RankOptions['seen']
}

interface Found {
  totalFound: number
  /** How many parts of the query the best chats hold. */
  parts: number
  /** Takes as long again: texts are read, and further searches tried. */
  answer(): SearchAnswer
}

function found(view: SearchView, asked: Asked): Found {
  const outcome = ranked(view, asked, { counts: true })
  const { checked } = outcome.kept
  return {
    totalFound: totalOf(outcome),
    parts: Math.max(0, ...checked.slice(0, LOOKED_AT).map(({ units }) => bits(units))),
    answer: () => answerOf(view, asked, outcome),
  }
}

type Outcome = ReturnType<typeof ranked>

function totalOf({ excludes, kept, ranking }: Outcome): number {
  return excludes.length > 0 ? kept.checked.length : ranking.total
}

function answerOf(view: SearchView, asked: Asked, outcome: Outcome): SearchAnswer {
  const { input, note, clean } = asked
  const { excludes, isTime, understood, related, instead, ranking, withAll } = outcome
  const { time, limit, skip, filter } = outcome
  const { checked, looked } = outcome.kept
  const { snippets } = placeOf(input.cursor)
  const shown =
    snippets === undefined
      ? checked.slice(skip, skip + limit)
      : leftOf(checked.slice(0, skip + limit), { chats: skip, snippets }, chatsOf(input))
  const translatedIn = (chats: ChatScore[]) =>
    onlyTranslated(view, understood.translated, fieldsOf(input), filter, chats)
  // How sure it is concerns the best chats, on whichever page.
  const inBest = translatedIn(checked.slice(0, chatsOf(input)))
  const sure = confidenceIn(
    view,
    understood.query,
    fieldsOf(input),
    { ...ranking, chats: checked },
    new Set(inBest.map(({ term }) => term)),
  )
  const confidence = isTime
    ? checked.length > 0
      ? TIME_ALONE
      : 0
    : instead.length > 0
      ? Math.min(sure, LAST_STEP)
      : sure
  const mark = markerOf(understood.query)
  const best = Math.max(...checked.map(({ score }) => score), 0) || 1
  // Who asks for a number of snippets a chat gets it; otherwise they are where they tell most.
  const messages =
    input.limit_snippets_per_chat === undefined ? dealt(shown) : shown.map((chat) => wordsFirst(chat.best))
  const results = shown.map((chat, i) =>
    resultOf(view, { ...chat, best: messages[i]! }, chat.score / best, { mark, clean }, input, time),
  )
  const isLeast = excludes.length > 0 && looked < ranking.total
  const totalFound = totalOf(outcome)
  const isShown = new Set(shown.map(({ key }) => key))
  const translated = skip === 0 ? inBest : translatedIn(shown)
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(shown.length > 0 ? noteOf(instead) : []),
    ...phraseNotes(asked.query.phrases),
    ...(isLeast ? [leastNote(totalFound, looked, ranking.total)] : []),
  ]
  return {
    status: 'ok',
    iterations_used: 1,
    confidence,
    totalFound,
    topChatIds: results.map((each) => each.chatId),
    results,
    guidance: guidanceFor(input, {
      confidence,
      totalFound: checked.length === 0 ? 0 : ranking.total - (looked - checked.length),
      results,
      isMore: checked.length > skip + limit,
      expandedTerms: related,
      excludes,
      units: asked.query.units,
      brings: (changes) => {
        if (isForAll(changes) && skip === 0 && withAll) return bringsMore(withAll(), isShown, limit)
        const other = { ...asked, input: { ...input, cursor: undefined, ...changes } }
        if (skip === 0 && excludes.length === 0 && !asked.when) {
          if ('time_window' in changes && surelyBrings(view, ranking.recent, isShown, limit, other.input))
            return true
          if (isForWords(changes) && isSame(taken(view, other, excludes, filter).query, understood.query))
            return false
        }
        return bringsMore(ranked(view, other).kept.checked, isShown, limit)
      },
    }),
    ...(understood.tried && { tried: understood.tried }),
    ...(translated.length > 0 && { translated: translated.map(({ word, as }) => ({ word, as })) }),
    ...(snippets === undefined && checked.length > skip + limit && { nextCursor: cursorAt(skip + limit) }),
    ...(notes.length > 0 && { notes }),
  }
}

function leastNote(left: number, looked: number, total: number): string {
  return `At least ${left}: of ${total} chats with the words, ${looked} were looked through for what is excluded.`
}

/**
 * The chats in their order, before anything is read of them but what is excluded. It is the order of all chats found,
 * whichever part of them is asked for. `counts`: how many are left without what is excluded will be told.
 */
export function ranked(view: SearchView, asked: Asked, { counts = false } = {}) {
  const { input, meaning, when } = asked
  const time = when ? { from: when.from, to: when.to } : timeOf(input)
  const excludes = [
    ...asked.query.excluded,
    ...(input.exclude_terms ?? []).map((term) => term.trim().toLowerCase()),
  ].filter(Boolean)
  const { chats: skip, snippets } = placeOf(input.cursor)
  const limit = snippets === undefined ? chatsOf(input) : MORE_CHATS
  const filter = messageFilter(view, {
    ...narrowingOf(input),
    withoutSource: input.withoutSource,
    ...time,
  })
  const { isTime, understood, near, instead, query } = taken(view, asked, excludes, filter)
  const need = skip + limit + 1
  const fields = fieldsOf(input)
  const isLeftOut = exclusion(view, excludes, fields, asked.clean)
  const isByWords = !isTime && input.sort !== 'date'
  let kept: Kept = { checked: [], looked: 0, isGivenUp: false }
  const isEnough = (chats: ChatScore[], areAll: boolean) => {
    const best = isByWords && !areAll ? surelyFirst(view, chats, need) : chats
    if (!best) return false
    const ordered = isByWords && areAll ? originalsFirst(view, best) : best
    const isFew = areAll && chats.length <= FEW
    const least = excludes.length === 0 || !counts ? 0 : isFew ? FEW : COUNTED
    kept = withoutExcluded(ordered, isLeftOut, { least, most: need })
    return kept.isGivenUp || kept.checked.length >= need
  }
  const options: RankOptions = {
    fields,
    match: input.match ?? 'any',
    ...(input.sort === 'date' && { order: 'date' as const }),
    filter,
    ...(asked.seen && { seen: asked.seen }),
    ...(meaning && { alike: alike(view, meaning, filter) }),
    most: Math.max(need + MOST_ECHOES, excludes.length > 0 ? WEIGHED : 0),
    isEnough,
    messagesPerChat: snippetsPerChat(input) * 2,
  }
  const ranking = isTime ? chatsOfTheTime(view, filter, options) : rank(view, query, options)
  const { withAll } = ranking
  return {
    excludes,
    isTime,
    understood: { ...understood, query },
    related: [...near, ...instead].flatMap((each) => each.instead),
    instead,
    ranking,
    kept,
    withAll:
      withAll &&
      (() => withoutExcluded(originalsFirst(view, withAll), isLeftOut, { least: 0, most: need }).checked),
    filter,
    time,
    limit,
    skip,
  }
}

/** What the words are taken for. */
function taken(
  view: SearchView,
  { query: asked, input, meaning, note, clean, when }: Asked,
  excludes: string[],
  filter: MessageFilter,
) {
  const fields = fieldsOf(input)
  const isTime = when !== undefined && isTimeAlone(asked)
  const isSayable = sayable(view, fields, clean)
  const understood: Understood = isTime
    ? { query: asked }
    : understoodIn(view, asked, fields, input, isSayable, filter)
  const isRelated = (term: string) => !isExcluded(term, excludes) && isSayable(term)
  const near =
    input.expand === 'auto' && !isTime ? nearestWords(view, understood.query, fields, isRelated) : []
  // Where an endpoint is asked what texts mean, it tells better; where it is away, the answer says that.
  const tried = isTime || note !== undefined ? [] : lastStep(view, understood.query, isRelated)
  const isMeant = tried.length > 0 && meaning && alike(view, meaning, messageFilter(view, {})).length > 0
  const instead = isMeant ? [] : tried
  const query =
    instead.length > 0
      ? withNearWords(understood.query, instead, 1)
      : withNearWords(understood.query, near, weights.related)
  return { isTime, understood, near, instead, query }
}

function chatsOf({ limit_chats, limit }: SearchInput): number {
  return clamped(limit_chats ?? limit, 10, 1, MOST_CHATS)
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
  // A title is nobody's message, and of no time.
  if (scope === 'title' || (scope === 'both' && !input.role_filter && !input.months?.length))
    fields.push('title')
  return fields
}
