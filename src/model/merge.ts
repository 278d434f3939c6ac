import type { Chat, Message } from './chat.ts'

/**
 * What is known of a chat when one more reading of a file has told of it. The writer asks these
 * functions inside its transaction, and reading live applies them in memory (`merged`), so the two
 * cannot disagree. What is known does not depend on the order in which files are read, nor on how
 * often or in how many pieces.
 */

/** A file that tells of a chat, and how far it is believed. */
export interface Teller {
  path: string
  /** When several tell of one message the highest is believed. */
  rank: number
  /** Its messages count only in chats of which no other file tells any. */
  standsIn: boolean
}

/** One telling of a message, as far as it matters here. */
export interface Telling {
  /** Equal for messages that say the same. */
  hash: number
  order: number
  /** How many bytes its text has. */
  size: number
}

export interface KnownTelling extends Telling {
  by: Teller
  /** The reading of that file which told it last: they are counted from the start. */
  generation: number
  /** Its file told it once and no longer does. */
  vanished: boolean
}

/**
 * What a telling changes: nothing; that its file still says so; who tells it, or where it stands;
 * all of it.
 */
export type Verdict = 'keep' | 'seen' | 'move' | 'replace'

export function verdictOn(known: KnownTelling, told: Telling, by: Teller, generation: number): Verdict {
  const says = known.hash === told.hash && !known.vanished
  if (known.by.path !== by.path) {
    if (!isBetter(told, by, known)) return 'keep'
    return says ? 'move' : 'replace'
  }
  if (!says) return 'replace'
  if (known.order !== told.order || known.by.rank !== by.rank) return 'move'
  return known.generation === generation ? 'keep' : 'seen'
}

/** Whether a reading's messages count in a chat of which others tell messages first hand, or not. */
export function countsIn(by: Teller, toldFirstHand: boolean): boolean {
  return !by.standsIn || !toldFirstHand
}

/** Whether what is known was only a stand-in for what this file tells. */
export function isReplacedBy(by: Teller, known: Teller): boolean {
  return known.standsIn && !by.standsIn
}

/**
 * What becomes of a message that a new reading of its whole file did not tell again. It stays, as
 * taken back, unless it was a preview of what a better file tells, or is told under another id now.
 */
export function afterVanishing(
  by: Teller,
  others: Iterable<Teller>,
  isToldAgain: boolean,
): 'undone' | 'gone' {
  if (isToldAgain) return 'gone'
  for (const other of others) if (other.path !== by.path && other.rank > by.rank) return 'gone'
  return 'undone'
}

/** What a file says of the chat itself. */
export interface HeaderTelling extends Teller {
  /** When the file was last written to. */
  changedAt: number
  header: Partial<Chat>
}

/** What all files together say of a chat: each fact from the one that is believed the most of those that tell it. */
export function mergedHeader(tellings: HeaderTelling[]): Partial<Chat> {
  const header: Partial<Chat> = {}
  for (const telling of tellings.toSorted(byTrust)) Object.assign(header, onlyStated(telling.header))
  const times = (name: 'createdAt' | 'updatedAt') => tellings.flatMap(({ header: each }) => each[name] ?? [])
  for (const [name, pick] of [
    ['createdAt', Math.min],
    ['updatedAt', Math.max],
  ] as const) {
    const all = times(name)
    if (all.length > 0) header[name] = all.reduce((a, b) => pick(a, b))
  }
  return header
}

/** What a file said of a chat, and what it says now: what is left undefined keeps its value. */
export function joined(before: Partial<Chat>, now: Partial<Chat>): Partial<Chat> {
  const { createdAt, updatedAt, ...facts } = now
  const header = { ...before, ...onlyStated(facts) }
  const times = [createdAt, updatedAt].flatMap((time) => knownTime(time) ?? [])
  return times.reduce(withTime, header)
}

export function onlyStated<T extends object>(value: T): T {
  const kept: Record<string, unknown> = {}
  for (const [name, each] of Object.entries(value)) if (each !== undefined && each !== '') kept[name] = each
  return kept as T
}

/** What a file says of a chat, with the time of a message that it tells. */
function withTime(header: Partial<Chat>, at: number): Partial<Chat> {
  const createdAt = Math.min(header.createdAt ?? at, at)
  const updatedAt = Math.max(header.updatedAt ?? at, at)
  return createdAt === header.createdAt && updatedAt === header.updatedAt
    ? header
    : { ...header, createdAt, updatedAt }
}

/** The last moment that a date can be of. */
const LAST_TIME = 8.64e15

/** A time that a source can mean; a zero or less stands for one it does not know. */
export function knownTime(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 && time <= LAST_TIME ? time : undefined
}

export interface Placed {
  id: string
  order: number
  createdAt?: number
  path: string
  vanished: boolean
}

/**
 * The messages of a chat in their order, given as they stood before. Those of one file stand as it
 * orders them, several files are put together by time. One that vanished stays behind the message it
 * stood behind.
 */
export function inOrder<T extends Placed>(before: T[]): T[] {
  const followers = new Map<T | undefined, T[]>()
  const told: T[] = []
  let last: T | undefined
  for (const message of before) {
    if (!message.vanished) {
      told.push(message)
      last = message
    } else followers.set(last, [...(followers.get(last) ?? []), message])
  }
  const ordered = sorted(told)
  // What stood before it may be told under another id by now: then the file's own order says where it was.
  for (const message of followers.get(undefined)?.splice(0) ?? []) {
    const anchor = ordered.findLast((each) => each.path === message.path && each.order < message.order)
    followers.set(anchor, [...(followers.get(anchor) ?? []), message])
  }
  return [undefined, ...ordered].flatMap((message) => [
    ...(message ? [message] : []),
    ...(followers.get(message) ?? []),
  ])
}

function sorted<T extends Placed>(told: T[]): T[] {
  const inFile = (a: T, b: T) =>
    a.order - b.order || (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.id < b.id ? -1 : 1)
  const files = Map.groupBy(told, ({ path }) => path)
  if (files.size < 2) return told.sort(inFile)
  const timed: { message: T; at: number; path: string; place: number }[] = []
  for (const [path, messages] of files) {
    let at = 0
    for (const [place, message] of messages.sort(inFile).entries()) {
      at = Math.max(at, message.createdAt ?? 0)
      timed.push({ message, at, path, place })
    }
  }
  const byTime = (a: (typeof timed)[number], b: (typeof timed)[number]) =>
    a.at - b.at || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.place - b.place)
  return timed.sort(byTime).map(({ message }) => message)
}

/** A chat that begins with the same messages as another. */
export interface Fork {
  id: string
  /** What its own file says it was forked from. */
  forkOf?: string
  /** It ran in the background, on a copy. */
  background?: boolean
  /** When its file was made. */
  bornAt?: number
}

/** Whether of two chats that begin alike the first is the one that the other was copied from. */
export function isOriginalOf(a: Fork, b: Fork): boolean {
  if (a.forkOf === b.id || b.forkOf === a.id) return b.forkOf === a.id
  const isCopy = ({ forkOf, background }: Fork) => Number(Boolean(background)) * 2 + Number(Boolean(forkOf))
  const difference = isCopy(a) - isCopy(b) || (a.bornAt ?? Infinity) - (b.bornAt ?? Infinity)
  return difference < 0 || (!(difference > 0) && a.id < b.id)
}

/** What is known of a chat, in memory. */
export interface KnownChat {
  /** What is known of it from nobody knows where, as in an archive of the first edition. */
  base: Partial<Chat>
  tellings: HeaderTelling[]
  /** In their order. */
  messages: KnownMessage[]
}

interface KnownMessage extends KnownTelling {
  message: Message
}

/** What one reading of a file tells of one chat. */
export interface ChatReading extends Teller {
  generation: number
  changedAt: number
  headers: Partial<Chat>[]
  messages: (Telling & { message: Message })[]
  /** The file was read from its start to its end: what it did not tell is no longer in it. */
  completes: boolean
  /** The first reading by a reader that knows more: it may tell a message under another id. */
  renews?: boolean
}

/** What is known of a chat after one more reading. Nothing that is given is changed. */
export function merged(known: KnownChat, reading: ChatReading): KnownChat {
  const { path, rank, standsIn, generation, changedAt } = reading
  const by: Teller = { path, rank, standsIn }
  const counts = countsIn(
    by,
    known.messages.some((each) => !each.by.standsIn),
  )
  const told = counts ? reading.messages : []
  const messages = new Map<string, KnownMessage>()
  for (const each of known.messages) {
    if (told.length === 0 || !isReplacedBy(by, each.by)) messages.set(each.message.id, { ...each })
  }
  for (const each of told) {
    const before = messages.get(each.message.id)
    const verdict = before ? verdictOn(before, each, by, generation) : 'replace'
    if (verdict === 'keep') continue
    const now: KnownMessage = { ...each, by, generation, vanished: false }
    if (!before || verdict === 'replace') messages.set(each.message.id, now)
    else Object.assign(before, { by, generation, order: each.order })
  }
  if (reading.completes) sweep(messages, by, reading)
  // Also those of messages that do not count: it is the same chat.
  const times = reading.messages.flatMap(({ message }) => knownTime(message.createdAt) ?? [])
  return {
    ...known,
    tellings: withHeader(known.tellings, by, changedAt, reading.headers, times),
    messages: placed(messages),
  }
}

function sweep(
  messages: Map<string, KnownMessage>,
  by: Teller,
  { generation, renews = false }: ChatReading,
): void {
  const isGone = (each: KnownMessage) =>
    each.by.path === by.path && each.generation < generation && !each.vanished
  const gone = [...messages.values()].filter(isGone)
  const rest = [...messages.values()].filter((each) => !isGone(each))
  for (const each of gone) {
    const isToldAgain =
      renews && rest.some((other) => !other.vanished && saysTheSame(each.message, other.message))
    const others = rest.map((other) => other.by)
    if (afterVanishing(by, others, isToldAgain) === 'gone') messages.delete(each.message.id)
    else each.vanished = true
  }
}

/** Whether two messages with different ids are one: said by the same in the same words, at the same time or both without one. */
function saysTheSame(a: Message, b: Message): boolean {
  const isTold = a.createdAt !== undefined || a.text !== ''
  return isTold && a.role === b.role && a.createdAt === b.createdAt && a.text === b.text
}

function placed(messages: Map<string, KnownMessage>): KnownMessage[] {
  const all = [...messages.values()].map((known) => ({
    id: known.message.id,
    order: known.order,
    createdAt: known.message.createdAt,
    path: known.by.path,
    vanished: known.vanished,
    known,
  }))
  return inOrder(all).map(({ known }) => known)
}

function withHeader(
  known: HeaderTelling[],
  by: Teller,
  changedAt: number,
  headers: Partial<Chat>[],
  times: number[],
): HeaderTelling[] {
  const before = known.find((each) => each.path === by.path)
  const told = headers.reduce(joined, before?.header ?? {})
  const header = times.reduce(withTime, told)
  return [...known.filter((each) => each !== before), { ...by, changedAt, header }]
}

/** Two files tell one message: the one of higher rank is right, then the fuller, then the first by name. */
function isBetter(told: Telling, by: Teller, known: KnownTelling): boolean {
  if (by.standsIn !== known.by.standsIn) return known.by.standsIn
  if (by.rank !== known.by.rank) return by.rank > known.by.rank
  if (told.size !== known.size) return told.size > known.size
  return by.path < known.by.path
}

/** The least believed first. */
function byTrust(a: HeaderTelling, b: HeaderTelling): number {
  return (
    Number(b.standsIn) - Number(a.standsIn) ||
    a.rank - b.rank ||
    (a.header.updatedAt ?? 0) - (b.header.updatedAt ?? 0) ||
    a.changedAt - b.changedAt ||
    (a.path < b.path ? -1 : 1)
  )
}
