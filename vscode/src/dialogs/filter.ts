import type { ArchivedChat, ChatFilter, OriginFilter } from '../../../src/archive/archive.ts'
import type { ChatStatus } from '../../../src/model/chat.ts'

/** What the view is narrowed to. */
export interface Filter extends OriginFilter {
  /** A part of the title. */
  title?: string
  statuses?: ChatStatus[]
  sources?: string[]
  /** Days back from now. */
  days?: number
}

const DAY = 24 * 60 * 60 * 1_000

export function isEmpty({ title, statuses, sources, days, repository, author, machine }: Filter): boolean {
  return !title && !statuses?.length && !sources?.length && !days && !repository && !author && !machine
}

/** What the archive can sort out itself. */
export function asQuery({ title, days, repository, author, machine }: Filter, now = Date.now()): ChatFilter {
  return {
    ...(repository && { repository }),
    ...(author && { author }),
    ...(machine && { machine }),
    ...(title && { titleContains: title }),
    ...(days && { updatedFrom: now - days * DAY }),
  }
}

/** The rest. */
export function passes({ statuses, sources }: Filter, chat: ArchivedChat, now = Date.now()): boolean {
  const status = statusOf(chat, now)
  return (
    (!statuses?.length || (status !== undefined && statuses.includes(status))) &&
    (!sources?.length || sources.includes(chat.source))
  )
}

const LONGEST_RUN = 6 * 60 * 60 * 1_000

/** An editor that died in the middle of a turn leaves it running for ever. */
export function statusOf({ status, updatedAt = 0 }: ArchivedChat, now = Date.now()): ChatStatus | undefined {
  const isOpen = status === 'running' || status === 'waiting'
  return isOpen && now - updatedAt > LONGEST_RUN ? 'cancelled' : status
}

export function described({ title, statuses = [], sources = [], days, ...origin }: Filter): string {
  const parts = [
    title && `“${title}”`,
    ...statuses.map((status) => STATUS_NAMES[status].toLowerCase()),
    ...sources,
    days && `last ${days} days`,
    origin.repository,
    origin.author && `by ${origin.author}`,
    origin.machine && `on ${origin.machine}`,
  ]
  return parts.filter(Boolean).join(', ')
}

export const STATUS_NAMES: Record<ChatStatus, string> = {
  running: 'Running',
  waiting: 'Waiting for you',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
