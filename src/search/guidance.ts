import { cursorAt, placeOf, type SearchInput, type SearchState, skippedBy } from './input.ts'
import type { ChatResult } from './result.ts'
import { wholeName } from './unique-ids.ts'

// A type, not an interface: capabilities check it as a record.
export type Guidance = {
  stopIf: string
  nextActions: { tool: string; args: Record<string, unknown>; why: string }[]
  state: SearchState
}

export interface Outcome {
  confidence: number
  totalFound: number
  /** Those that are shown, best first. */
  results: Pick<ChatResult, 'chatId' | 'source' | 'relevance' | 'snippets'>[]
  /** There are more behind those. */
  isMore: boolean
  expandedTerms: string[]
  excludes: string[]
  /** Parts of the query: words and phrases. */
  units: number
  /** Whether the search, changed so, would show a chat that is not shown now. */
  brings(changes: Partial<SearchInput>): boolean
}

type Action = Guidance['nextActions'][number]
type Proposal = { name: string; changes: Partial<SearchInput>; why: string }

const MOST_ROUNDS = 3
const CONFIDENT = 0.7
const MANY = 3
const MOST_PROPOSED = 2
/** Chats that are so much worse than the best are not worth a call. */
const WORTH = 0.25
/** So few chats are worth looking through, however good the best is. */
export const FEW = 60
/** A search is said again in a proposal: not one of several pages. */
const LONGEST_SAID = 1_000

/** What to do next. Each proposal can be called as it stands, finds something that is not here, and is made once. */
export function guidanceFor(input: SearchInput, outcome: Outcome): Guidance {
  const iteration = wholeNumber(input.state?.iteration) + 1
  const tried = new Set([...strings(input.state?.tried), ...inUse(input)])
  const { confidence, totalFound, results } = outcome
  const sure = totalFound > 0 && confidence >= CONFIDENT
  // After what an answer had left there is nothing as good to see: who goes on needs other words.
  const isRest = placeOf(input.cursor).snippets !== undefined
  const canGoOn =
    !sure && !isRest && iteration < MOST_ROUNDS && JSON.stringify(withoutState(input)).length < LONGEST_SAID
  const chosen = canGoOn ? proposed(input, outcome, tried, iteration) : []
  const state: SearchState = {
    expandedTerms: unique([...strings(input.state?.expandedTerms), ...outcome.expandedTerms]),
    excludes: unique([...strings(input.state?.excludes), ...outcome.excludes]),
    iteration,
    tried: unique([...tried, ...chosen.map(({ name }) => name)]),
  }
  const nextActions: Action[] = chosen.map(({ changes, why }) => ({
    tool: 'search_conversations',
    args: { ...withoutState({ ...input, cursor: undefined, ...changes }), state },
    why,
  }))
  const [best] = results
  // Where there are more chats as good as these it is better to see them; else the best is worth reading, and
  // another search may lose what this one found.
  if (best && chosen[0]?.name !== 'more' && !isRest) nextActions.unshift(reading(best, sure))
  return { stopIf: stopIf(outcome, iteration, nextActions.length, isRest), nextActions, state }
}

/** What is worth another search, the best first. Each was tried: what would bring nothing is left out. */
function proposed(input: SearchInput, outcome: Outcome, tried: Set<string>, iteration: number): Proposal[] {
  const { totalFound, results, isMore, units, brings } = outcome
  const limit = limitOf(input)
  const chosen: Proposal[] = []
  const propose = (name: string, changes: Partial<SearchInput>, why: string) => {
    if (chosen.length < MOST_PROPOSED && !tried.has(name) && brings(changes)) {
      chosen.push({ name, changes, why })
      return true
    }
    return false
  }
  const isWorthIt = totalFound <= FEW || (results.at(-1)?.relevance ?? 0) >= WORTH
  if (isMore && iteration === 1 && isWorthIt) {
    const cursor = cursorAt(skippedBy(input.cursor) + results.length)
    chosen.push({ name: 'more', changes: { cursor }, why: 'No clear match: see the next chats.' })
  }
  if (totalFound > limit * MANY) {
    if (units > 1)
      propose('all', { match: 'all' }, 'Many chats contain some of the words: ask for all of them.')
    propose('window', { time_window: '90d' }, 'Many chats were found: look at the last 90 days only.')
    propose('role', { role_filter: ['user'] }, 'Many chats were found: look only at what the person asked.')
  }
  if (totalFound === 0)
    for (const [name, changes] of liftings(input))
      if (propose(`without ${name}`, changes, `Nothing matches ${name}: search without it.`)) break
  propose('fuzzy', { precision_mode: 'fuzzy' }, 'Words may be misspelt, or other forms of them used.')
  if (!chosen.some(({ name }) => name === 'fuzzy'))
    propose('expand', { expand: 'auto' }, 'Words that mean something like these may find it.')
  return chosen
}

function limitOf({ limit_chats, limit }: SearchInput): number {
  return limit_chats ?? limit ?? 10
}

/** What keeps chats out, and the search without it. */
function liftings(input: SearchInput): [name: string, changes: Partial<SearchInput>][] {
  const all: [string, Partial<SearchInput>][] = [
    ['match: all', { match: 'any' }],
    ['role_filter', { role_filter: undefined }],
    ['scope', { scope: 'both' }],
    ['this time', { time_window: 'all', dateFrom: undefined, dateTo: undefined, months: undefined }],
    ['source', { source: undefined }],
    ['workspace', { workspace: undefined }],
    ['model', { model: undefined }],
    ['starred', { starred: undefined }],
    ['repository', { repository: undefined }],
    ['author', { author: undefined }],
    ['machine', { machine: undefined }],
  ]
  const given = { match: 'any', scope: 'both', time_window: 'all', ...withoutState(input) }
  return all.filter(([, changes]) =>
    Object.entries(changes).some(([key, value]) => given[key as keyof typeof given] !== value),
  )
}

/** So many messages before the best are read with it. */
const BEFORE = 4
const NEAR = 15

/** The best chat, from a little before what was found: the beginning of a long one may have nothing to do with it. */
function reading({ chatId, source, snippets }: Outcome['results'][number], sure: boolean): Action {
  const said = snippets.filter(({ source }) => source !== 'title')
  const at = said.toSorted((a, b) => b.relevance - a.relevance)[0]?.index ?? 0
  const first = Math.min(at, ...said.map(({ index }) => index).filter((each) => each > at - NEAR))
  const from = Math.max(0, first - BEFORE)
  return {
    tool: 'gather_chats',
    args: {
      chatIds: [wholeName({ source, id: chatId })],
      ...(from > BEFORE && { from }),
      ...(said.every(({ source }) => source !== 'tool') && { includeTools: false }),
    },
    why: sure ? 'The best chat most likely has the answer: read it.' : 'Read the best chat found so far.',
  }
}

/** What this very search already uses. */
function inUse(input: SearchInput): string[] {
  const used: string[] = []
  if (input.precision_mode === 'fuzzy') used.push('fuzzy')
  if (input.expand === 'auto') used.push('expand')
  if (input.match === 'all') used.push('all')
  if ((input.time_window ?? 'all') !== 'all' || input.dateFrom || input.dateTo) used.push('window')
  if (input.role_filter) used.push('role')
  return used
}

function stopIf(
  { confidence, totalFound }: Outcome,
  iteration: number,
  actions: number,
  isRest: boolean,
): string {
  if (totalFound > 0 && confidence >= CONFIDENT) return 'A chat below answers the question: stop searching.'
  if (isRest && totalFound > 0)
    return 'The best was shown: read the chat that fits with gather_chats, or ask for other words.'
  if (actions === 0)
    return totalFound > 0
      ? 'Nothing else is worth trying with these words.'
      : 'It does not seem to be in the archive: ask for other words, or sync first.'
  if (iteration >= MOST_ROUNDS)
    return 'Three searches are enough: use what was found, or ask for other words.'
  return `A snippet shows what was looked for, or confidence is ${CONFIDENT} or more.`
}

function withoutState(input: SearchInput): Omit<SearchInput, 'state'> {
  const { state: _, withoutSource: __, ...rest } = input
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
}

function wholeNumber(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function unique(list: string[]): string[] {
  return [...new Set(list)]
}
