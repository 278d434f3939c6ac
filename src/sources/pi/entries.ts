import type { Chat, Message } from '../../model/chat.ts'
import { type Json, millis, object, string, version, words } from '../json.ts'
import type { Link, TreeFormat } from '../tree-file.ts'
import { saidAt, textIn, toMessage, toSummary } from './message.ts'

/** The header of a session: its first line. */
function takeHeader(chat: Chat, record: Json): void {
  chat.workspace = words(record.cwd)
  chat.createdAt = millis(record.timestamp)
  chat.format = version(record.version)
  const origin = words(record.parentSession)
  if (origin) chat.forkOf = /([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/i.exec(origin)?.[1]
}

/** What an entry says of its chat, besides messages. */
export function takeEntry(chat: Chat, entry: Json): void {
  if (entry.type === 'session') takeHeader(chat, entry)
  if (entry.type === 'session_info') chat.title = words(entry.name) ?? chat.title
}

/** The message in an entry. `order` is its place in the session. */
export function messageOf(entry: Json, order: number): Message | undefined {
  const about = { id: string(entry.id) ?? `at-${order}`, order, createdAt: saidAt(entry) }
  switch (entry.type) {
    case 'message':
      return toMessage(about, object(entry.message) ?? {})
    case 'compaction':
    case 'branch_summary':
      return toSummary(about, entry.summary)
    case 'custom_message': {
      const text = words(textIn(entry.content))
      return text === undefined ? undefined : { ...about, role: 'user', kind: 'injected', text }
    }
    default:
      return undefined
  }
}

/** Version 1 has no ids, and no branches. */
export function linkOf(entry: Json): Link | undefined {
  const id = string(entry.id)
  if (entry.type === 'session' || id === undefined || !('parentId' in entry)) return undefined
  return { id, parent: string(entry.parentId) }
}

/** Entries in a file of lines. */
export const ENTRIES: TreeFormat = { link: linkOf, about: takeEntry, message: messageOf }
