import type { SearchInput, SearchState } from './input.ts'

// A type, not an interface: capabilities check it as a record.
export type Guidance = {
  stopIf: string
  nextActions: { tool: string; args: Record<string, unknown>; why: string }[]
  state: SearchState
}

export interface Outcome {
  confidence: number
  totalFound: number
  topChatIds: string[]
  expandedTerms: string[]
  excludes: string[]
  /** Parts of the query: words and phrases. */
  units: number
}

const MOST_ROUNDS = 3
const CONFIDENT = 0.6
const MANY = 3
const GATHERED = 3

/** What to do next. Each proposal can be called as it stands, and is made once. */
export function guidanceFor(input: SearchInput, outcome: Outcome): Guidance {
  const iteration = wholeNumber(input.state?.iteration) + 1
  const before = Array.isArray(input.state?.tried)
    ? input.state.tried.filter((each) => typeof each === 'string')
    : []
  const tried = new Set([...before, ...inUse(input)])
  const { confidence, totalFound, topChatIds } = outcome
  const limit = input.limit_chats ?? input.limit ?? 10
  const proposals: { name: string; changes: Partial<SearchInput>; why: string }[] = []
  const propose = (name: string, changes: Partial<SearchInput>, why: string) => {
    if (!tried.has(name) && iteration < MOST_ROUNDS) proposals.push({ name, changes, why })
  }
  const sure = totalFound > 0 && confidence >= CONFIDENT
  if (!sure) {
    if (totalFound > limit * MANY) {
      if (outcome.units > 1)
        propose('all', { match: 'all' }, 'Many chats hold some of the words: ask for all of them.')
      propose('window', { time_window: '90d' }, 'Many chats were found: look at the last 90 days only.')
      propose('role', { role_filter: ['user'] }, 'Many chats were found: look only at what the person asked.')
    }
    propose('fuzzy', { precision_mode: 'fuzzy' }, 'Words may be misspelt, or other forms of them used.')
    if (tried.has('fuzzy'))
      propose('expand', { expand: 'auto' }, 'Words that mean something like these may find it.')
  }
  const chosen = proposals.slice(0, 2)
  const state: SearchState = {
    expandedTerms: unique([...strings(input.state?.expandedTerms), ...outcome.expandedTerms]),
    excludes: unique([...strings(input.state?.excludes), ...outcome.excludes]),
    iteration,
    tried: unique([...tried, ...chosen.map(({ name }) => name)]),
  }
  const nextActions = chosen.map(({ changes, why }) => ({
    tool: 'search_conversations',
    args: { ...withoutState(input), ...changes, state } as Record<string, unknown>,
    why,
  }))
  const gather = {
    tool: 'gather_chats',
    args: { chatIds: topChatIds.slice(0, GATHERED) },
    why: sure
      ? 'The best chats hold the answer, most likely: read them.'
      : 'Read the best chats found so far.',
  }
  if (topChatIds.length > 0 && (sure || nextActions.length === 0)) nextActions.push(gather)
  return { stopIf: stopIf(outcome, iteration, nextActions.length), nextActions, state }
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

function stopIf({ confidence, totalFound }: Outcome, iteration: number, actions: number): string {
  if (totalFound > 0 && confidence >= CONFIDENT) return 'A chat below answers the question: stop searching.'
  if (actions === 0)
    return totalFound > 0
      ? 'Nothing else is worth trying with these words.'
      : 'It does not seem to be in the archive: ask for other words, or sync first.'
  if (iteration >= MOST_ROUNDS)
    return 'Three searches are enough: use what was found, or ask for other words.'
  return `A snippet shows what was looked for, or confidence is ${CONFIDENT} or more.`
}

function withoutState(input: SearchInput): SearchInput {
  const { state: _, ...rest } = input
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
