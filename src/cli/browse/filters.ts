import type { Role } from '../../model/chat.ts'
import type { ListInput } from '../../recall/list.ts'
import type { SearchInput } from '../../search/input.ts'
import { plainLine } from './plain.ts'

/** What narrows the list; nothing where a field is missing. */
export interface Filters {
  source?: string
  workspace?: string
  repository?: string
  author?: string
  machine?: string
  days?: number
  role?: Role
  fuzzy?: boolean
}

export const TIMES: { days: number; label: string }[] = [
  { days: 1, label: 'last 24 hours' },
  { days: 7, label: 'last 7 days' },
  { days: 30, label: 'last 30 days' },
  { days: 90, label: 'last 90 days' },
  { days: 365, label: 'last year' },
]

export const ROLES: { role: Role; label: string }[] = [
  { role: 'user', label: 'said by you' },
  { role: 'assistant', label: 'said by the assistant' },
  { role: 'tool', label: 'from tools' },
]

/** In words, for the chips. */
export function chips(filters: Filters): string[] {
  return [
    filters.source,
    filters.workspace && folderName(filters.workspace),
    filters.repository,
    filters.author && `by ${filters.author}`,
    filters.machine && `on ${filters.machine}`,
    TIMES.find(({ days }) => days === filters.days)?.label,
    ROLES.find(({ role }) => role === filters.role)?.label,
    filters.fuzzy && 'fuzzy',
  ].flatMap((chip) => (chip ? [plainLine(chip)] : []))
}

/** The last part of a path, whichever system it is from. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast(Boolean) ?? path
}

export function searchFor(words: string, filters: Filters, limit: number): SearchInput {
  const { source, workspace, repository, author, machine, role, fuzzy } = filters
  return {
    intent_query: words,
    source,
    workspace,
    ...{ repository, author, machine },
    time_window: timeOf(filters),
    ...(role && { role_filter: [role] }),
    precision_mode: fuzzy ? 'fuzzy' : 'basic',
    limit_chats: limit,
    limit_snippets_per_chat: 2,
    snippet_window: 80,
  }
}

/** Who spoke and how words are spelt says nothing about a list without words. */
export function listFor(filters: Filters, limit: number): ListInput {
  const { source, workspace, repository, author, machine } = filters
  return { source, workspace, repository, author, machine, time_window: timeOf(filters), limit }
}

const DAY = 86_400_000

function timeOf({ days }: Filters): { start: number } | undefined {
  return days === undefined ? undefined : { start: Date.now() - days * DAY }
}
