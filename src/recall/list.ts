import type { Archive, ArchivedChat, ChatPage, ChatSort, OriginFilter } from '../archive/archive.ts'
import type { ChatStatus } from '../model/chat.ts'
import type { Clean } from '../model/clean.ts'
import { dayOf } from '../model/day.ts'
import { RecollectError } from '../model/errors.ts'
import { statusNow } from '../model/status.ts'
import { chatsAsked, type Narrowed, spansOf, type TimeWindow, timeOf } from '../search/input.ts'
import { type OriginFields, originAsked, originOf } from './origin.ts'
import { sizeOf } from './page.ts'
import { preview } from './preview.ts'

export interface ListInput extends OriginFilter, Narrowed {
  time_window?: TimeWindow
  title?: string
  sort?: ChatSort
  limit?: number
  /** How the last turn ended, or that it goes on. */
  status?: ChatStatus[]
  /** With sub-agents' chats. */
  subagents?: boolean
  cursor?: string
}

interface ListedChat extends OriginFields {
  chatId: string
  title: string
  source: string
  workspace?: string
  date: string
  createdAt: number | null
  updatedAt: number | null
  messageCount: number
  requestCount: number
  /** Starred. */
  pinned?: true
  /** How the last turn ended, or that it goes on; only where the assistant tells. */
  status?: ChatStatus
}

export interface ChatList {
  chats: ListedChat[]
  /** For the next page; missing on the last one. */
  nextCursor?: string
}

const LISTED = 20
const MOST_LISTED = 200
const TITLE = 120

/** One page of chats, at most `room` characters of JSON. */
export async function listChats(
  archive: Archive,
  input: ListInput,
  { clean, room }: { clean: Clean; room: number },
): Promise<ChatList> {
  const { title, subagents } = input
  const { from, to } = timeOf({ time_window: input.time_window })
  const times = { updatedFrom: from, updatedTo: to }
  const filter = {
    ...chatsAsked(input),
    ...originAsked(input),
    titleContains: title,
    ...times,
    updatedIn: spansOf(input.months ?? []),
    statuses: input.status,
    subagents,
  }
  const { sort, after } = input.cursor
    ? await placeIn(archive, input.cursor)
    : { sort: input.sort ?? 'updated' }
  const limit = Math.min(MOST_LISTED, Math.max(1, Math.floor(input.limit ?? LISTED)))
  const found = await archive.pageChats(filter, { sort, limit: limit + 1, after })
  const chats: ListedChat[] = []
  let left = room - 200
  for (const chat of found.slice(0, limit)) {
    const listed = listedChat(clean(chat, chat))
    left -= sizeOf(listed)
    if (left < 0 && chats.length > 0) break
    chats.push(listed)
  }
  const last = found[chats.length - 1]
  return { chats, ...(last && found.length > chats.length && { nextCursor: cursorAfter(last, sort) }) }
}

function listedChat(chat: ArchivedChat): ListedChat {
  return {
    chatId: chat.id,
    title: preview(chat.title, TITLE),
    source: chat.source,
    ...(chat.workspace && { workspace: chat.workspace }),
    ...originOf(chat),
    date: dayOf(chat.updatedAt ?? chat.createdAt),
    createdAt: chat.createdAt ?? null,
    updatedAt: chat.updatedAt ?? null,
    messageCount: chat.messageCount,
    requestCount: chat.requestCount,
    ...(chat.pinned && { pinned: true as const }),
    ...statusField(statusNow(chat)),
  }
}

function statusField(status: ChatStatus | undefined): { status?: ChatStatus } {
  return status ? { status } : {}
}

const VALUES: Record<ChatSort, (chat: ArchivedChat) => number | string> = {
  updated: (chat) => chat.updatedAt ?? 0,
  created: (chat) => chat.createdAt ?? 0,
  messages: (chat) => chat.messageCount,
  title: (chat) => chat.title,
}

function cursorAfter(chat: ArchivedChat, sort: ChatSort): string {
  // A title may hold a secret: who goes on by title names the chat instead.
  const at = sort === 'title' ? `${chat.source}:${chat.id}` : VALUES[sort](chat)
  return Buffer.from(JSON.stringify([sort, at, chat.key])).toString('base64url')
}

async function placeIn(
  archive: Archive,
  cursor: string,
): Promise<{ sort: ChatSort; after: ChatPage['after'] }> {
  try {
    const [sort, value, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (sort === 'title' && typeof value === 'string' && typeof key === 'number')
      return { sort, after: { value: (await archive.resolveChat(value)).title, key } }
    if (
      typeof sort === 'string' &&
      Object.hasOwn(VALUES, sort) &&
      typeof value === 'number' &&
      typeof key === 'number'
    )
      return { sort: sort as ChatSort, after: { value, key } }
  } catch {
    // Told below.
  }
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${cursor}" is not a cursor of this answer.`,
    'Pass the cursor of the previous answer unchanged, or none to start from the first page.',
  )
}
