import path from 'node:path'
import type { Archive, ArchivedChat, ArchivedMessage, Copies } from '../archive/archive.ts'
import { detailOf, hashOf } from '../archive/body.ts'
import { requestTitle } from '../archive/request-title.ts'
import type { Chat, Message } from '../model/chat.ts'
import type { SaidIn } from '../model/clean.ts'
import { bounded } from '../model/limits.ts'
import {
  type ChatReading,
  type KnownChat,
  knownTime,
  merged,
  mergedHeader,
  onlyStated,
} from '../model/merge.ts'
import { plainRepository } from '../model/repository.ts'
import { NAMING_REQUESTS, namingRequest, tells } from '../model/title.ts'
import type { Machine } from '../platform/machine.ts'
import { type Call, type Source, withReader } from '../sources/source.ts'
import { bornAt, existingRoots, type FoundUnit } from '../sync/discover.ts'
import { stampOf } from '../sync/fingerprint.ts'
import { statOf } from '../sync/look.ts'
import { readUnit } from '../sync/read-unit.ts'

/** Who asks, and what there is to answer from. */
export interface Asker {
  archive: Archive
  sources: Source[]
  machine: Machine
  caller: {
    /** The dialog that the call came from, where the host tells. */
    sessionId?: string
    /** That of the person, where the host tells both and it is a sub-agent that calls. */
    userDialog?: string
    /** The call of a tool that this is, where a model made it. */
    call?: Call
    /** When the client started us: then our environment and the processes before us are its own. */
    startedUsAt?: number
    assistant?: string
    workspace?: string
    /** What the host shows of a dialog and has not written to its file yet. */
    shown?: FreshChat
  }
}

/** A chat and its messages as they are at this moment, whether they have been synced yet or not. */
export interface LiveChat {
  chat: LiveHeader
  messages: LiveMessage[]
  /** What its files say beyond the archive. */
  unsynced?: Message[]
}

/** By which secrets that were named elsewhere in the chat are known. */
export function saidIn({ chat: { key }, unsynced }: LiveChat): SaidIn {
  return { ...(key !== undefined && { key }), ...(unsynced && { unsynced }) }
}

export type LiveHeader = Omit<ArchivedChat, 'key'> & { key?: number }
export type LiveMessage = Omit<ArchivedMessage, 'key'>

/** More than this is not read while somebody waits: the next sync will. */
const MOST_BYTES = 64_000_000

/** The archived chat with what its files say beyond that. Nothing is written. */
export async function liveChat(asker: Asker, chat: ArchivedChat): Promise<LiveChat> {
  return (await aheadOfArchive(asker, chat)) ?? { chat, messages: await asker.archive.messages(chat) }
}

/** The same where its files say more than the archive knows; nothing where all of it is archived. */
export async function aheadOfArchive(asker: Asker, chat: ArchivedChat): Promise<LiveChat | undefined> {
  const told: FreshChat[] = []
  const files = new Set((await asker.archive.unitsOf(chat)).map((unit) => unit.path))
  const source = asker.sources.find((each) => each.id === chat.source)
  for (const file of files) {
    const unit = source && unitAt(source, file, asker.machine)
    if (!unit) continue
    told.push(...(await readNow(asker, source, unit)).filter((each) => each.chat.id === chat.id))
    // What it stands in for may have been written by now.
    if (unit.standsIn) for (const beside of unit.beside ?? []) files.add(beside)
  }
  return told.length > 0 ? await withFresh(asker, chat, told) : undefined
}

/** What one file tells beyond the archive, as far as it is known. */
export interface FreshChat {
  chat: Chat
  messages: Message[]
  /** The file was read from its start to its end: what it did not tell is no longer in it. */
  whole: boolean
  /** How the file is to be believed, and what it says, piece by piece. */
  readings?: ChatReading[]
  /** When the file was made. */
  bornAt?: number
}

/** The chats that changed in a unit since it was archived; none where it is unchanged. */
export async function readNow(
  { archive, machine }: Asker,
  source: Source,
  unit: FoundUnit,
): Promise<FreshChat[]> {
  const known = await archive.knownUnit(source.id, unit.path)
  if (known?.fingerprint.stamp === stampOf(unit)) return []
  if (unit.stat.size - (known?.checkpoint?.offset ?? 0) > MOST_BYTES) return []
  const chats = new Map<string, FreshChat & { readings: ChatReading[] }>()
  const freshChat = (id: string) => {
    const told = chats.get(id) ?? {
      chat: { source: source.id, id },
      messages: [],
      whole: false,
      readings: [],
      bornAt: bornAt(unit),
    }
    chats.set(id, told)
    return told
  }
  for (const piece of readUnit(await withReader(source), unit, known, machine)) {
    const readings = new Map<string, ChatReading>()
    const readingOf = (id: string) => {
      const { path: file, rank, standsIn = false, generation, fingerprint } = piece
      const reading = readings.get(id) ?? {
        ...{ path: file, rank, standsIn, generation, changedAt: Math.floor(fingerprint.mtime) || 0 },
        ...{ headers: [], messages: [], completes: false },
      }
      if (!readings.has(id)) freshChat(id).readings.push(reading)
      readings.set(id, reading)
      return reading
    }
    const { chats: headers, messages } = await archive.withoutForgotten(piece)
    for (const header of headers) {
      const told = freshChat(header.id)
      told.chat = { ...told.chat, ...onlyStated(header) }
      readingOf(header.id).headers.push(factsOf(header))
    }
    for (const { chatId, message } of messages) {
      const telling = tellingOf(message)
      freshChat(chatId).messages.push(telling.message)
      readingOf(chatId).messages.push(telling)
    }
    if (!piece.completes) continue
    for (const [id, told] of chats) {
      told.whole = true
      readingOf(id).completes = true
    }
  }
  return [...chats.values()]
}

/** An archived chat after readings that are not archived yet, as it will be when they are. */
export async function withFresh(
  { archive }: Asker,
  chat: ArchivedChat,
  told: FreshChat[],
): Promise<LiveChat> {
  let known = await archive.known(chat)
  for (const reading of told.flatMap(readingsOf)) known = merged(known, reading)
  return { ...liveFrom(known, chat), unsynced: told.flatMap(({ messages }) => messages) }
}

/** A chat that no sync has seen yet. */
export function unsynced(told: FreshChat, copies: Copies = { ids: new Set() }): LiveChat {
  let known: KnownChat = { base: {}, tellings: [], messages: [] }
  for (const reading of readingsOf(told)) known = merged(known, reading)
  const { source, id } = told.chat
  const header = { source, id, title: '', models: [], messageCount: 0, requestCount: 0 }
  return { ...liveFrom(known, header, copies), unsynced: told.messages }
}

function readingsOf({ readings, chat, messages }: FreshChat): ChatReading[] {
  if (readings) return readings
  const told = messages.map(tellingOf)
  const by = { path: '', rank: 0, standsIn: false, generation: 1, changedAt: 0 }
  return [{ ...by, headers: [factsOf(chat)], messages: told, completes: false }]
}

function tellingOf(given: Message): ChatReading['messages'][number] {
  const message = bounded({ ...given, createdAt: knownTime(given.createdAt) })
  return {
    message,
    hash: hashOf(message, detailOf(message)),
    order: message.order,
    size: Buffer.byteLength(message.text),
  }
}

function factsOf({ source: _, id: __, ...facts }: Chat): Partial<Chat> {
  return { ...facts, title: facts.title?.trim() }
}

function liveFrom(known: KnownChat, before: LiveHeader, copies?: Copies): LiveChat {
  const messages = known.messages.map(({ message, order, vanished }, index): LiveMessage => {
    const { undone, ...rest } = message
    return {
      ...rest,
      order,
      index,
      ...((undone || vanished) && { undone: true }),
      ...(copies?.ids.has(message.id) && { copy: true }),
    }
  })
  const header = { ...known.base, ...mergedHeader(known.tellings) }
  const requests = requestsOf(messages)
  const naming = namingRequest(requests.slice(0, NAMING_REQUESTS).map(({ text }) => text))
  const titles = [header.title, naming && requestTitle(naming)].filter(Boolean)
  const times = messages.flatMap((message) => message.createdAt ?? [])
  const models = messages.flatMap((message) => message.model ?? [])
  return {
    chat: {
      ...before,
      ...onlyStated({ forkOf: copies?.forkOf, ...header }),
      // "Continue" is no title where a request tells more, whoever gave it.
      title: before.name ?? titles.find((title) => tells(title!) > 0) ?? titles[0] ?? '(no title)',
      createdAt: least([before.createdAt, header.createdAt, ...times]),
      updatedAt: greatest([before.updatedAt, header.updatedAt, ...times]),
      // As the archive knows it by now: its folder may say more than its file.
      repository: before.repository ?? (header.repository && plainRepository(header.repository)),
      models: [...new Set([...before.models, ...models])],
      messageCount: messages.length,
      requestCount: requests.length,
    },
    messages,
  }
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

function least(times: (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)
}

function greatest(times: (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}
