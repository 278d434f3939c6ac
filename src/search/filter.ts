import type { ChatFilter, Documents, OriginFilter, SearchView } from '../archive/archive.ts'
import { KINDS, ROLES } from '../archive/archive.ts'
import type { Role } from '../model/chat.ts'
import { chatsAsked, type Narrowed, type SearchInput, spansOf } from './input.ts'

export interface Narrowing extends OriginFilter, Narrowed {
  /** Chats of this one are left out. */
  withoutSource?: string
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

/** What of a search narrows it, but for its time. */
export function narrowingOf(input: SearchInput): Narrowing {
  const { source, workspace, model, starred, months, repository, author, machine, role_filter: roles } = input
  return { source, workspace, model, starred, months, repository, author, machine, roles }
}

export function messageFilter(view: SearchView, narrowing: Narrowing): MessageFilter {
  const { documents } = view
  const { withoutSource, repository, author, machine, roles, from, to } = narrowing
  const about = { ...chatsAsked(narrowing), repository, author, machine }
  const spans = spansOf(narrowing.months ?? [])
  const months = spans.length > 0 ? inOneOf(spans) : undefined
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
    narrows: chats !== undefined || labels !== undefined || months !== undefined,
    passes: (key) =>
      passes(documents, key, chats, labels, timed, first, last) &&
      (months === undefined || months(documents.at[key]!)),
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

/** Whether a time, in seconds, is in one of these. */
function inOneOf(spans: [from: number, to: number][]): (at: number) => boolean {
  return (at) => spans.some(([start, end]) => at * 1000 >= start && at * 1000 < end)
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
