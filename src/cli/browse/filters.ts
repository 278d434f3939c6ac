import type { OriginFilter, SavedSearch } from '../../archive/archive.ts'
import type { Role } from '../../model/chat.ts'
import type { ListInput } from '../../recall/list.ts'
import type { Narrowed, SearchInput, TimeWindow } from '../../search/input.ts'
import { plainLine } from './plain.ts'
import { savedInput } from './saved-input.ts'

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
  starred?: true
  /** The saved search that is run; what is chosen besides narrows it further. */
  saved?: Pick<SavedSearch, 'name' | 'input'>
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
    filters.saved && `“${filters.saved.name}”`,
    filters.source,
    filters.workspace && folderName(filters.workspace),
    filters.repository,
    filters.author && `by ${filters.author}`,
    filters.machine && `on ${filters.machine}`,
    TIMES.find(({ days }) => days === filters.days)?.label,
    ROLES.find(({ role }) => role === filters.role)?.label,
    filters.fuzzy && 'fuzzy',
    filters.starred && '★ starred',
  ].flatMap((chip) => (chip ? [plainLine(chip)] : []))
}

/** The last part of a path, whichever system it is from. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast(Boolean) ?? path
}

export function searchFor(words: string, filters: Filters, limit: number): SearchInput {
  return { ...searchOf(words, filters), limit_chats: limit, limit_snippets_per_chat: 2, snippet_window: 80 }
}

/** What is asked, whatever is shown of it: as it is saved. */
export function searchOf(words: string, filters: Filters): SearchInput {
  const { role, fuzzy } = filters
  return {
    ...savedInput(filters, words),
    ...narrowing(filters),
    ...(role && { role_filter: [role] }),
    ...(fuzzy && { precision_mode: 'fuzzy' as const }),
  }
}

function narrowing(filters: Filters): Narrowed & OriginFilter & { time_window?: TimeWindow } {
  const { source, workspace, repository, author, machine, starred } = filters
  const given = { source, workspace, repository, author, machine, starred, time_window: timeOf(filters) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Who spoke and how words are spelt says nothing about a list without words. */
export function listFor(filters: Filters, limit: number): ListInput {
  const kept = (filters.saved?.input ?? {}) as SearchInput
  const { source, workspace, model, months, starred, repository, author, machine, time_window } = kept
  const saved = { source, workspace, model, months, starred, repository, author, machine, time_window }
  return { ...saved, ...narrowing(filters), limit }
}

const DAY = 86_400_000

function timeOf({ days }: Filters): TimeWindow | undefined {
  if (days === undefined) return undefined
  const named = (['7d', '30d', '90d'] as const).find((each) => each === `${days}d`)
  return named ?? { start: Date.now() - days * DAY }
}
