import type { Params } from '../../lib/route.ts'

/** What is asked, as it stands in the address. */
export interface Filters {
  q: string
  time: '' | '7' | '30' | '90' | 'between'
  from: string
  to: string
  source: string
  workspace: string
  repository: string
  author: string
  machine: string
  role: '' | 'user' | 'assistant'
  tools: boolean
  fuzzy: boolean
  expand: boolean
  all: boolean
  /** How many chats are shown. */
  shown: number
}

export const PAGE = 20
const MOST = 200

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string) => params.get(name) ?? ''
  const shown = Number(params.get('shown'))
  return {
    q: text('q'),
    time: oneOf(text('time'), ['7', '30', '90', 'between']),
    from: day(text('from')),
    to: day(text('to')),
    source: text('source'),
    workspace: text('workspace'),
    repository: text('repository'),
    author: text('author'),
    machine: text('machine'),
    role: oneOf(text('role'), ['user', 'assistant']),
    tools: params.get('tools') !== 'no',
    fuzzy: params.has('fuzzy'),
    expand: params.has('expand'),
    all: params.has('all'),
    shown: shown > PAGE ? Math.min(MOST, Math.floor(shown)) : PAGE,
  }
}

/** Everything that narrows, taken away; the words stay. */
export const NO_FILTERS: Params = {
  time: '',
  from: '',
  to: '',
  source: '',
  workspace: '',
  repository: '',
  author: '',
  machine: '',
  role: '',
  tools: '',
  fuzzy: false,
  expand: false,
  all: false,
  shown: '',
}

export function isNarrowed(filters: Filters): boolean {
  const { time, source, workspace, repository, author, machine, role, tools, all } = filters
  return (
    [time, source, workspace, repository, author, machine, role].some((each) => each !== '') || !tools || all
  )
}

export function listInput(filters: Filters) {
  return {
    source: filters.source || undefined,
    workspace: filters.workspace || undefined,
    ...originIn(filters),
    time_window: timeWindow(filters),
    limit: 50,
  }
}

export function searchInput(filters: Filters, state?: unknown) {
  return {
    query: filters.q,
    regex: /^\/(.+)\/$/s.exec(filters.q.trim())?.[1],
    time_window: timeWindow(filters),
    source: filters.source || undefined,
    workspace: filters.workspace || undefined,
    ...originIn(filters),
    role_filter: filters.role ? [filters.role] : undefined,
    include_tools_in_search: filters.tools ? undefined : false,
    precision_mode: filters.fuzzy ? 'fuzzy' : undefined,
    expand: filters.expand ? 'auto' : undefined,
    match: filters.all ? 'all' : undefined,
    limit_chats: filters.shown,
    snippet_window: 160,
    state,
  }
}

function originIn({ repository, author, machine }: Filters) {
  return {
    repository: repository || undefined,
    author: author || undefined,
    machine: machine || undefined,
  }
}

/** What a proposed search changes, in the words of the address. */
export function changesOf(args: Record<string, unknown>, filters: Filters): Params {
  const changes: Params = {}
  if (args.precision_mode === 'fuzzy' && !filters.fuzzy) changes.fuzzy = true
  if (args.expand === 'auto' && !filters.expand) changes.expand = true
  if (args.match === 'all' && !filters.all) changes.all = true
  if (args.time_window === '90d' && filters.time !== '90') changes.time = '90'
  if (Array.isArray(args.role_filter) && args.role_filter[0] === 'user' && filters.role !== 'user')
    changes.role = 'user'
  return changes
}

function timeWindow({ time, from, to }: Filters) {
  if (time === 'between') return from || to ? { start: from || undefined, end: to || undefined } : undefined
  return time ? `${time}d` : undefined
}

function oneOf<Value extends string>(given: string, values: Value[]): Value | '' {
  return values.find((value) => value === given) ?? ''
}

function day(given: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : ''
}
