import type { ChatFilter, OriginFilter } from '../archive/archive.ts'
import type { Role } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'

export type TimeWindow =
  | '7d'
  | '30d'
  | '60d'
  | '90d'
  | 'all'
  | { start?: number | string; end?: number | string }

/** What may be asked of a search: see `search_conversations` in the contract. */
export interface SearchInput extends OriginFilter, Narrowed {
  intent_query?: string | string[]
  /** The same. */
  query?: string | string[]
  /** A regular expression over the whole record, instead of words. */
  regex?: string
  time_window?: TimeWindow
  /** `YYYY-MM-DD` in the user's time zone, both ends inclusive; or epoch milliseconds. */
  dateFrom?: number | string
  dateTo?: number | string
  precision_mode?: 'basic' | 'fuzzy'
  expand?: 'off' | 'auto'
  include_tools_in_search?: boolean
  scope?: 'content' | 'title' | 'both'
  role_filter?: Role[]
  exclude_terms?: string[]
  match?: 'any' | 'all'
  limit_chats?: number
  /** The same. */
  limit?: number
  limit_snippets_per_chat?: number
  snippet_window?: number
  /** `date`: the newest of the chats that hold the most of the words. */
  sort?: 'relevance' | 'date'
  /** Chats of this assistant are left out: not asked for by anybody, but by who asks. */
  withoutSource?: string
  response_mode?: 'json' | 'text'
  /** From the answer before: where in the list of chats this one begins. */
  cursor?: string
  /** As the answer before gave it. */
  state?: Partial<SearchState>
}

/** Narrows to one of several; a star is the owner's. */
export interface Narrowed {
  source?: string | string[]
  workspace?: string | string[]
  model?: string | string[]
  starred?: boolean
  /** `YYYY-MM` in the user's time zone: of a search, what was said in one of these; of a list, chats last written to then. */
  months?: string[]
}

/** The same for the archive. */
export function chatsAsked({
  source,
  workspace,
  model,
  starred,
}: Narrowed): Pick<ChatFilter, 'sources' | 'workspaces' | 'models' | 'pinned'> {
  return {
    ...(source !== undefined && { sources: [source].flat() }),
    ...(workspace !== undefined && { workspaces: [workspace].flat() }),
    ...(model !== undefined && { models: [model].flat() }),
    ...(starred !== undefined && { pinned: starred }),
  }
}

/** The spans of months, in milliseconds. */
export function spansOf(months: string[]): [from: number, to: number][] {
  return months.map((month) => {
    const [year = 0, number = 1] = month.split('-').map(Number)
    return [new Date(year, number - 1, 1).getTime(), new Date(year, number, 1).getTime()]
  })
}

/** What guidance carries from one search to the next. */
export interface SearchState {
  expandedTerms: string[]
  excludes: string[]
  iteration: number
  /** What was tried or proposed already, so that nothing is proposed twice. */
  tried: string[]
}

/** `snippets`: of these chats so many were shown beside the first of each; the rest of theirs is told with the next chats. */
export function cursorAt(chats: number, snippets?: number): string {
  return snippets === undefined ? `chats.${chats}` : `chats.${chats}.${snippets}`
}

/** How many chats come before the cursor. */
export function skippedBy(cursor: string | undefined): number {
  return placeOf(cursor).chats
}

/** What was told before the cursor. */
export function placeOf(cursor: string | undefined): { chats: number; snippets?: number } {
  const [, chats = 0, snippets] = /^chats\.(\d{1,6})(?:\.(\d{1,4}))?$/.exec(cursor ?? '') ?? []
  return {
    chats: Number(chats),
    ...(snippets !== undefined && { snippets: Number(snippets) }),
  }
}

const DAY = 24 * 60 * 60 * 1000

/** The first and the last moment that are asked for; nothing where there is no end. */
export function timeOf(input: SearchInput, now = Date.now()): { from?: number; to?: number } {
  const window = input.time_window ?? 'all'
  const from = latest(
    typeof window === 'object'
      ? moment(window.start, false)
      : window === 'all'
        ? undefined
        : now - Number.parseInt(window, 10) * DAY,
    moment(input.dateFrom, false),
  )
  const to = earliest(
    typeof window === 'object' ? moment(window.end, true) : undefined,
    moment(input.dateTo, true),
  )
  return { from, to }
}

function moment(given: number | string | undefined, isEnd: boolean): number | undefined {
  if (given === undefined || given === '') return undefined
  if (typeof given === 'number') return given
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given)
  const at = day
    ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]) + (isEnd ? 1 : 0)).getTime() -
      (isEnd ? 1 : 0)
    : Date.parse(given)
  if (Number.isFinite(at)) return at
  throw new RecollectError('INVALID_QUERY', `"${given}" is not a date.`, 'Give dates as YYYY-MM-DD.')
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b)
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}
