import type { ArchivedChat } from '../../../src/archive/archive.ts'
import type { ChatStatus } from '../../../src/model/chat.ts'
import { statusNow } from '../../../src/model/status.ts'
import { badges, sourceName } from '../../../src/sources/names.ts'
import type { Badge } from '../../../src/sources/source.ts'
import { ago, count, t } from '../words.ts'
import { statusName } from './filter.ts'
import { folderName, referenceOf } from './groups.ts'

/** One chat in the view: two lines. */
export interface Row {
  reference: string
  title: string
  assistant: string
  badge: Badge
  status?: ChatStatus
  /** The name of its folder. */
  place?: string
  age: string
  /** What a menu may offer for it. */
  can: { resume: boolean; import: boolean }
  pinned: boolean
  archived: boolean
  /** All of it, as a screen reader tells it. */
  label: string
  tooltip: string
  /** Where it was found: the passage, and what to mark in it. */
  found?: { index?: number; text: string; marks: [start: number, end: number][] }
}

export function rowOf(chat: ArchivedChat, now: number): Row {
  const status = statusNow(chat, now)
  const assistant = sourceName(chat.source)
  const folder = chat.workspace && folderName(chat.workspace)
  // Whose it is, where it came from another machine.
  const place = [chat.origin?.author, folder].filter(Boolean).join(' · ')
  const badge = badges()[chat.source] ?? { letters: assistant.slice(0, 2), colour: 'grey' }
  return {
    reference: referenceOf(chat),
    title: chat.title,
    assistant,
    badge,
    ...(status && { status }),
    ...(place && { place }),
    age: ago(chat.updatedAt, now, 'short'),
    can: { resume: Boolean(chat.resume), import: chat.source === 'vscode' },
    pinned: chat.pinned === true,
    archived: chat.archived === true,
    label: [
      chat.title,
      status && statusName(status),
      chat.pinned && t('pinned'),
      assistant,
      place,
      ago(chat.updatedAt, now),
      count(chat.requestCount, 'request'),
    ]
      .filter(Boolean)
      .join(', '),
    tooltip: tooltipOf(chat, status, assistant),
  }
}

/** Plain text: a title may say anything. */
function tooltipOf(chat: ArchivedChat, status: ChatStatus | undefined, assistant: string): string {
  const facts: [string, string | undefined][] = [
    [t('Status'), status && statusName(status)],
    [t('Assistant'), assistant],
    [t('Folder'), chat.workspace],
    [t('Repository'), chat.repository],
    [t('By'), chat.origin && t('{0} on {1}', chat.origin.author, chat.origin.machine)],
    [t('Model'), chat.models.join(', ')],
    [t('Requests'), t('{0} of {1} messages', chat.requestCount, chat.messageCount)],
    [t('Last message'), chat.updatedAt === undefined ? undefined : new Date(chat.updatedAt).toLocaleString()],
  ]
  const lines = facts.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return [chat.title, '', ...lines].join('\n')
}
