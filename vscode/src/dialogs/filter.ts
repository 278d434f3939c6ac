import type { ChatFilter, OriginFilter } from '../../../src/archive/archive.ts'
import type { ChatStatus } from '../../../src/model/chat.ts'
import { sourceName } from '../../../src/sources/names.ts'
import { t } from '../words.ts'

/** What the view is narrowed to. */
export interface Filter extends OriginFilter {
  /** A part of the title. */
  title?: string
  statuses?: ChatStatus[]
  sources?: string[]
  /** Days back from now. */
  days?: number
  /** Only chats about this window's folders. */
  here?: boolean
}

const DAY = 24 * 60 * 60 * 1_000

export function isEmpty({ title, statuses, sources, days, here, ...origin }: Filter): boolean {
  const isNarrowed = title || statuses?.length || sources?.length || days || here
  return !isNarrowed && !origin.repository && !origin.author && !origin.machine
}

/** As the archive takes it. */
export function asQuery(
  { title, statuses, sources, days, here, repository, author, machine }: Filter,
  about: ChatFilter['about'],
  now = Date.now(),
): ChatFilter {
  return {
    ...(repository && { repository }),
    ...(author && { author }),
    ...(machine && { machine }),
    ...(title && { titleContains: title }),
    ...(statuses?.length && { statuses }),
    ...(sources?.length && { sources }),
    ...(days && { updatedFrom: now - days * DAY }),
    ...(here && { about }),
  }
}

/** As search takes it, as far as it can: what is left is sorted out of what it finds. */
export function asSearch(
  { sources, days, here, repository, author, machine }: Filter,
  folders: string[],
  now = Date.now(),
): Record<string, unknown> {
  return {
    ...(repository && { repository }),
    ...(author && { author }),
    ...(machine && { machine }),
    ...(sources?.length && { source: sources }),
    ...(days && { time_window: { start: now - days * DAY } }),
    ...(here && folders.length > 0 && { workspace: folders }),
  }
}

export function described({ title, statuses = [], sources = [], days, here, ...origin }: Filter): string {
  const parts = [
    title && `“${title}”`,
    here && t('this workspace'),
    ...statuses.map((status) => statusName(status).toLowerCase()),
    ...sources.map(sourceName),
    origin.repository,
    origin.author && t('by {0}', origin.author),
    origin.machine && t('on {0}', origin.machine),
    days && (days === 1 ? t('today') : t('last {0} days', days)),
  ]
  return parts.filter(Boolean).join(', ')
}

export function statusName(status: ChatStatus): string {
  switch (status) {
    case 'running':
      return t('Running')
    case 'waiting':
      return t('Waiting for you')
    case 'done':
      return t('Done')
    case 'failed':
      return t('Failed')
    case 'cancelled':
      return t('Cancelled')
  }
}
