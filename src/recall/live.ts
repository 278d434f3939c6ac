import path from 'node:path'
import type { Archive, ArchivedChat, ArchivedMessage } from '../archive/archive.ts'
import type { Chat, Message } from '../model/chat.ts'
import { bounded } from '../model/limits.ts'
import { NAMING_REQUESTS, namingRequest, tells } from '../model/title.ts'
import type { Machine } from '../platform/machine.ts'
import { redact } from '../platform/redact.ts'
import type { Source } from '../sources/source.ts'
import { existingRoots, type FoundUnit } from '../sync/discover.ts'
import { stampOf } from '../sync/fingerprint.ts'
import { statOf } from '../sync/look.ts'
import { readUnit } from '../sync/read-unit.ts'
import { preview } from './preview.ts'

/** Who asks, and what there is to answer from. */
export interface Asker {
  archive: Archive
  sources: Source[]
  machine: Machine
  caller: {
    sessionId?: string
    assistant?: string
    workspace?: string
    /** What the host shows of a dialog and has not written to its file yet. */
    shown?: Told
  }
}

/** A chat and its messages as they are at this moment, whether they have been synced yet or not. */
export interface LiveChat {
  chat: LiveHeader
  messages: LiveMessage[]
}

export type LiveHeader = Omit<ArchivedChat, 'key'> & { key?: number }
export type LiveMessage = Omit<ArchivedMessage, 'key'>

/** More than this is not read while somebody waits: the next sync will. */
const MOST_BYTES = 64_000_000

/** The archived chat with what its files say beyond that. Nothing is written. */
export async function liveChat(asker: Asker, chat: ArchivedChat): Promise<LiveChat> {
  const { archive, machine } = asker
  let live: LiveChat = { chat, messages: await archive.messages(chat) }
  const units = await archive.unitsOf(chat)
  for (const { source: id, path: file } of units) {
    const source = asker.sources.find((each) => each.id === id)
    const unit = source && unitAt(source, file, machine)
    if (!unit) continue
    const told = (await readNow(asker, source, unit)).find((each) => each.chat.id === chat.id)
    if (told) live = overlaid(live, told, units.length === 1)
  }
  return live
}

/** What one file tells beyond the archive, as far as it is known. */
export interface Told {
  chat: Chat
  messages: Message[]
  /** The file was read from its start to its end: what it did not tell is no longer in it. */
  whole: boolean
}

/** The chats that changed in a unit since it was archived; none where it is unchanged. */
export async function readNow({ archive, machine }: Asker, source: Source, unit: FoundUnit): Promise<Told[]> {
  const known = await archive.knownUnit(source.id, unit.path)
  if (known?.fingerprint.stamp === stampOf(unit)) return []
  if (unit.stat.size - (known?.checkpoint?.offset ?? 0) > MOST_BYTES) return []
  const chats = new Map<string, { chat: Chat; messages: Map<string, Message>; whole: boolean }>()
  const chatOf = (id: string) => {
    const chat = chats.get(id) ?? { chat: { source: source.id, id }, messages: new Map(), whole: false }
    chats.set(id, chat)
    return chat
  }
  for (const piece of readUnit(source, unit, known, machine)) {
    for (const header of piece.chats) {
      const entry = chatOf(header.id)
      entry.chat = { ...entry.chat, ...given(header) }
    }
    for (const { chatId, message } of piece.messages)
      chatOf(chatId).messages.set(message.id, bounded(message))
    if (piece.completes) for (const chat of chats.values()) chat.whole = true
  }
  const told: Told[] = []
  for (const { chat, messages, whole } of chats.values()) {
    if (await archive.isForgotten(chat.source, chat.id)) continue
    told.push({ chat, messages: [...messages.values()], whole })
  }
  return told
}

/** A chat that no sync has seen yet. */
export function unsynced({ chat, messages }: Told): LiveChat {
  const empty: LiveHeader = {
    ...chat,
    title: chat.title ?? '',
    models: [],
    messageCount: 0,
    requestCount: 0,
  }
  return overlaid({ chat: empty, messages: [] }, { chat, messages, whole: true }, true)
}

export function overlaid(live: LiveChat, told: Told, onlyFile: boolean): LiveChat {
  const byId = new Map(told.messages.map((message) => [message.id, message]))
  let ordered = true
  const messages: Omit<LiveMessage, 'index'>[] = live.messages.map((known) => {
    const message = byId.get(known.id)
    byId.delete(known.id)
    if (!message) return told.whole && onlyFile ? { ...known, undone: true } : known
    // Of two files that tell one message the fuller is believed.
    if (!onlyFile && message.text.length < known.text.length) return known
    if (message.order !== known.order) ordered = false
    return { ...message, ...(known.copy && { copy: true }) }
  })
  const last = messages.at(-1)?.order ?? Number.NEGATIVE_INFINITY
  const added = [...byId.values()].sort((a, b) => a.order - b.order)
  if (added[0] && added[0].order <= last) ordered = false
  messages.push(...added)
  if (!ordered) messages.sort((a, b) => a.order - b.order)
  const indexed = messages.map((message, index) => ({ ...message, index }))
  return { chat: headerOf(live.chat, told, indexed), messages: indexed }
}

function headerOf(known: LiveHeader, { chat, messages: told }: Told, messages: LiveMessage[]): LiveHeader {
  const requests = requestsOf(messages)
  const times = told.flatMap((message) => message.createdAt ?? [])
  const models = told.flatMap((message) => message.model ?? [])
  return {
    ...known,
    ...given(chat),
    title: titleOf(chat.title?.trim() || known.title, requests) || '(no title)',
    createdAt: least([known.createdAt, chat.createdAt, ...times]),
    updatedAt: greatest([known.updatedAt, chat.updatedAt, ...times]),
    models: [...new Set([...known.models, ...models])],
    messageCount: messages.length,
    requestCount: requests.length,
  }
}

/** A title that was given, unless it is "Continue" or the like and a request tells more. */
function titleOf(given: string, requests: LiveMessage[]): string {
  if (given !== '' && tells(given) > 0) return given
  const naming = namingRequest(requests.slice(0, NAMING_REQUESTS).map(({ text }) => text))
  return naming !== undefined && (given === '' || tells(naming) > 0)
    ? preview(redact(naming.slice(0, 4_000)), 200)
    : given
}

/** What the person really asked and did not take back. */
export function requestsOf<M extends Pick<Message, 'kind' | 'undone'>>(messages: M[]): M[] {
  return messages.filter((message) => message.kind === 'request' && !message.undone)
}

function unitAt(source: Source, file: string, machine: Machine): FoundUnit | undefined {
  const stat = statOf(file)
  if (!stat?.isFile()) return undefined
  for (const root of existingRoots(source, machine)) {
    const relative = path.relative(root.path, file)
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue
    const unit = source.unit(relative.replaceAll(path.sep, '/'), root)
    if (unit?.path === file) return { ...unit, stat }
  }
  return undefined
}

/** Without what is undefined: that keeps its known value. */
function given<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T
}

function least(times: (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)
}

function greatest(times: (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}
