import type { Params } from '../../lib/route.ts'

/** What can be narrowed by several values at once, as the address names it. */
export const FACETS = ['source', 'workspace', 'model', 'role', 'month'] as const
export type FacetName = (typeof FACETS)[number]

/** What is asked, as it stands in the address. */
export interface Filters extends Record<FacetName, string[]> {
  q: string
  time: '' | '7' | '30' | '90' | 'between'
  from: string
  to: string
  repository: string
  author: string
  machine: string
  sort: '' | 'date'
  starred: boolean
  tools: boolean
  fuzzy: boolean
  expand: boolean
  all: boolean
}

export const ROLES = ['user', 'assistant', 'tool', 'system'] as const
/** The first results are on the screen before the rest is asked for. */
const FIRST = 20
const NEXT = 60

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string) => params.get(name) ?? ''
  const several = (name: string) => params.getAll(name).filter(Boolean).slice(0, 60)
  return {
    q: text('q'),
    time: oneOf(text('time'), ['7', '30', '90', 'between']),
    from: day(text('from')),
    to: day(text('to')),
    source: several('source'),
    workspace: several('workspace'),
    model: several('model'),
    role: several('role').filter((each) => ROLES.some((role) => role === each)),
    month: several('month').filter((each) => /^\d{4}-\d{2}$/.test(each)),
    repository: text('repository'),
    author: text('author'),
    machine: text('machine'),
    sort: oneOf(text('sort'), ['date']),
    starred: params.has('starred'),
    tools: params.get('tools') !== 'no',
    fuzzy: params.has('fuzzy'),
    expand: params.has('expand'),
    all: params.has('all'),
  }
}

/** Everything that narrows, taken away; the words stay. */
export const NO_FILTERS: Params = {
  time: '',
  from: '',
  to: '',
  source: '',
  workspace: '',
  model: '',
  role: '',
  month: '',
  repository: '',
  author: '',
  machine: '',
  sort: '',
  starred: false,
  tools: '',
  fuzzy: false,
  expand: false,
  all: false,
}

export function isNarrowed(filters: Filters): boolean {
  const { time, repository, author, machine, tools, all, starred } = filters
  return (
    [time, repository, author, machine].some((each) => each !== '') ||
    FACETS.some((name) => filters[name].length > 0) ||
    !tools ||
    all ||
    starred
  )
}

export function listInput(filters: Filters) {
  return { ...narrowing(filters), limit: 50 }
}

export function searchInput(filters: Filters, state?: unknown) {
  return {
    query: filters.q,
    regex: /^\/(.+)\/$/s.exec(filters.q.trim())?.[1],
    ...narrowing(filters),
    role_filter: some(filters.role),
    include_tools_in_search: filters.tools ? undefined : false,
    precision_mode: filters.fuzzy ? 'fuzzy' : undefined,
    expand: filters.expand ? 'auto' : undefined,
    match: filters.all ? 'all' : undefined,
    sort: filters.sort || undefined,
    snippet_window: 160,
    state,
  }
}

/** How many of them, from where the page before ended. */
export function pageOf(cursor: string | undefined) {
  return { limit_chats: cursor === undefined ? FIRST : NEXT, cursor }
}

function narrowing(filters: Filters) {
  const { repository, author, machine } = filters
  return {
    source: some(filters.source),
    workspace: some(filters.workspace),
    model: some(filters.model),
    months: some(filters.month),
    starred: filters.starred || undefined,
    repository: repository || undefined,
    author: author || undefined,
    machine: machine || undefined,
    time_window: timeWindow(filters),
  }
}

/** What a proposed search changes, in the words of the address. */
export function changesOf(args: Record<string, unknown>, filters: Filters): Params {
  const changes: Params = {}
  if (args.precision_mode === 'fuzzy' && !filters.fuzzy) changes.fuzzy = true
  if (args.expand === 'auto' && !filters.expand) changes.expand = true
  if (args.match === 'all' && !filters.all) changes.all = true
  if (args.time_window === '90d' && filters.time !== '90') changes.time = '90'
  if (Array.isArray(args.role_filter) && args.role_filter[0] === 'user' && filters.role[0] !== 'user')
    changes.role = 'user'
  return changes
}

/** The address of a search that was saved, here or in a terminal. */
export function paramsOf(input: Record<string, unknown>): Params {
  const texts = (value: unknown) => [value ?? []].flat().map(String)
  const words = texts(input.intent_query ?? input.query).join(' ')
  const window = input.time_window
  const days = typeof window === 'string' ? /^(7|30|90)d$/.exec(window)?.[1] : undefined
  const { start, end } = (typeof window === 'object' && window !== null ? window : {}) as Record<
    string,
    unknown
  >
  const isBetween = start !== undefined || end !== undefined
  return {
    ...NO_FILTERS,
    q: words || (typeof input.regex === 'string' ? `/${input.regex}/` : ''),
    time: days ?? (isBetween ? 'between' : ''),
    from: dayOf(start),
    to: dayOf(end),
    source: texts(input.source),
    workspace: texts(input.workspace),
    model: texts(input.model),
    role: texts(input.role_filter),
    month: texts(input.months),
    repository: texts(input.repository)[0],
    author: texts(input.author)[0],
    machine: texts(input.machine)[0],
    sort: input.sort === 'date' ? 'date' : '',
    starred: input.starred === true,
    tools: input.include_tools_in_search === false ? 'no' : '',
    fuzzy: input.precision_mode === 'fuzzy',
    expand: input.expand === 'auto',
    all: input.match === 'all',
  }
}

function timeWindow({ time, from, to }: Filters) {
  if (time === 'between') return from || to ? { start: from || undefined, end: to || undefined } : undefined
  return time ? `${time}d` : undefined
}

function some(values: string[]): string[] | undefined {
  return values.length > 0 ? values : undefined
}

function oneOf<Value extends string>(given: string, values: Value[]): Value | '' {
  return values.find((value) => value === given) ?? ''
}

function day(given: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : ''
}

/** `2026-05-01` out of that or of a moment. */
function dayOf(given: unknown): string {
  if (typeof given !== 'number') return typeof given === 'string' ? day(given.slice(0, 10)) : ''
  return new Date(given).toLocaleDateString('sv')
}
