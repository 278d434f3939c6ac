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

const ROLES = ['user', 'assistant', 'tool', 'system'] as const
/** The first results are on the screen before the rest is asked for. */
const FIRST = 20
const NEXT = 60

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string) => params.get(name) ?? ''
  const several = (name: string) => params.getAll(name).filter(Boolean).slice(0, 60)
  return {
    q: text('q'),
    time: oneOf(text('time'), ['7', '30', '90', 'between']),
    from: dayIn(text('from')),
    to: dayIn(text('to')),
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

export function dayIn(given: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : ''
}
