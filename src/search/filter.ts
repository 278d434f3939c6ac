import type { ChatFilter, Documents, OriginFilter, SearchView } from '../archive/archive.ts'
import { KINDS, ROLES } from '../archive/archive.ts'
import type { Role } from '../model/chat.ts'

export interface Narrowing extends OriginFilter {
  source?: string
  /** Chats of this one are left out. */
  withoutSource?: string
  workspace?: string
  roles?: Role[]
  /** Epoch milliseconds, both ends inclusive. */
  from?: number
  to?: number
}

/** Which messages and chats may be found at all. */
export interface MessageFilter {
  /** Whether it keeps anything out. */
  narrows: boolean
  passes(key: number): boolean
  passesChat(chat: number): boolean
}

export function messageFilter(
  view: SearchView,
  { source, withoutSource, workspace, repository, author, machine, roles, from, to }: Narrowing,
): MessageFilter {
  const { documents } = view
  const about = { source, workspace, repository, author, machine }
  const chatFilter: ChatFilter = { ...about, updatedFrom: from, updatedTo: to, subagents: true }
  const narrowsChats = [...Object.values(about), withoutSource, from, to].some((each) => each !== undefined)
  const chats = narrowsChats ? keySet(view.chatKeys(chatFilter), documents.endOfChats) : undefined
  if (chats && withoutSource !== undefined)
    for (const key of view.chatKeys({ source: withoutSource, subagents: true })) chats[key] = 0
  const labels = roles && labelsOf(roles)
  // Seconds are all the index knows; whoever shows a message looks at its milliseconds.
  const first = from === undefined ? 0 : Math.floor(from / 1000)
  const last = to === undefined ? Number.POSITIVE_INFINITY : Math.floor(to / 1000)
  const timed = from !== undefined || to !== undefined
  return {
    narrows: chats !== undefined || labels !== undefined,
    passes: (key) => passes(documents, key, chats, labels, timed, first, last),
    passesChat: (chat) => chats === undefined || chats[chat] === 1,
  }
}

function passes(
  documents: Documents,
  key: number,
  chats: Uint8Array | undefined,
  labels: Uint8Array | undefined,
  timed: boolean,
  first: number,
  last: number,
): boolean {
  if (chats !== undefined && chats[documents.chat[key]!] !== 1) return false
  if (labels !== undefined && labels[documents.label[key]!] !== 1) return false
  if (!timed) return true
  const at = documents.at[key]!
  return at === 0 || (at >= first && at <= last)
}

function keySet(keys: Iterable<number>, end: number): Uint8Array {
  const set = new Uint8Array(end)
  for (const key of keys) if (key < end) set[key] = 1
  return set
}

function labelsOf(roles: Role[]): Uint8Array {
  return Uint8Array.from({ length: ROLES.length * 16 }, (_, label) =>
    roles.includes(ROLES[label >> 4]!) && KINDS[label & 15] !== undefined ? 1 : 0,
  )
}
