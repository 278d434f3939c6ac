import type { Connection } from './connection.ts'
import { addToList, BlockWriter, type Entry } from './index-blocks.ts'
import { createSegment, listsOf, TITLE } from './index-build.ts'
import { ByteReader, ByteWriter } from './index-bytes.ts'
import { Cursor, Tournament } from './index-cursors.ts'
import { fewer, type MessageList, MessageListWriter, readTitles, writeTitles } from './index-docs.ts'
import { SEGMENT_ROW, soundSegment } from './sums.ts'

const FANOUT = 8
/** Merging so many messages takes some milliseconds: any writer may. */
const SMALL = 256
/** Segments of so many messages wait for the end of a sync, unless they become very many: then each list is merged once. */
const LARGE = 2_048
const MOST_LARGE = 128
const LARGEST = Math.ceil(Math.log(LARGE) / Math.log(FANOUT))

interface Segment {
  key: number
  newest: number
  messages: number
  base: number
}

/**
 * Keeps the number of segments low, so that a search looks into few. Segments of a like size are
 * merged when there are eight; what is merged has at most `most` messages, so that an appended
 * message never pays for the whole archive.
 */
export function mergeSegments(connection: Connection, most: number): void {
  while (mergeOnce(connection, most));
}

/** Merges what is most due, if anything is. */
export function mergeOnce(connection: Connection, most: number): boolean {
  const due = dueForMerge(segments(connection), Math.max(most, SMALL))
  if (due) rewrite(connection, due)
  return due !== undefined
}

function segments({ prepare }: Connection): Segment[] {
  return prepare(
    'SELECT key, newest, messages, base FROM word_segment ORDER BY newest',
  ).all() as unknown as Segment[]
}

/** At the end of a sync: what is not much larger than all that is newer becomes one with it. */
export function mergeAtEnd(connection: Connection): void {
  const all = segments(connection)
  let start = all.length
  let newer = 0
  while (start > 0 && (all[start - 1]!.messages <= newer * 2 || all.length - start < FANOUT / 2)) {
    start--
    newer += all[start]!.messages
  }
  if (all.length - start >= FANOUT) rewrite(connection, all.slice(start))
}

/** Only neighbours in age are merged, as the newer counts where two tell of one message. */
function dueForMerge(all: Segment[], most: number): Segment[] | undefined {
  const large = all.filter(({ messages }) => messages >= LARGE)
  if (large.length > MOST_LARGE) return all.slice(0, all.indexOf(large.at(-1)!) + 1)
  const levels = all.map(({ messages }) =>
    messages >= LARGE ? LARGEST : Math.floor(Math.log(Math.max(messages, 1)) / Math.log(FANOUT)),
  )
  for (let level = 0; level < LARGEST; level++) {
    let start = all.length
    while (start > 0 && levels[start - 1]! <= level) start--
    if (all.length - start < FANOUT) continue
    const due = all.slice(start, start + FANOUT)
    return due.reduce((sum, { messages }) => sum + messages, 0) <= most ? due : undefined
  }
  return undefined
}

/** Takes these messages and titles out of the index for good: the segments that hold them are written anew. */
export function eraseWords(connection: Connection, messages: Set<number>, chats: Set<number>): void {
  for (const segment of segments(connection)) {
    const { lists, titles } = load(connection, segment)
    const found =
      readTitles(titles).some(({ chat }) => chats.has(chat)) ||
      keysIn(lists()).some((key) => messages.has(key))
    if (found) rewrite(connection, [segment], messages, chats)
  }
}

interface Loaded {
  /** Read anew each time: held are those of one block. */
  lists: () => Iterable<MessageList>
  titles: Uint8Array
}

function load(connection: Connection, { key }: Segment): Loaded {
  const row = connection.prepare(`SELECT ${SEGMENT_ROW} FROM word_segment WHERE key = ?`).get(key)
  const segment = soundSegment(connection, row)
  return { lists: () => listsOf(connection, key, segment), titles: segment.titles }
}

function* keysIn(lists: Iterable<MessageList>): Generator<number> {
  for (const list of lists) yield* list.eachKey()
}

const NONE: ReadonlySet<number> = new Set()

/** One segment instead of several neighbours, without what is superseded or to be erased. */
function rewrite(connection: Connection, inputs: Segment[], erasedMessages = NONE, erasedChats = NONE): void {
  const { messages, titles, segment, base } = newSegment(connection, inputs, erasedMessages, erasedChats)
  if (segment !== undefined) {
    const blocks = new BlockWriter(connection, segment, base)
    for (let field = 0; field <= TITLE; field++)
      mergeField(connection, inputs, field, field === TITLE ? titles : messages, blocks)
    blocks.finish()
  }
  for (const { key } of inputs) {
    connection.prepare('DELETE FROM word_block WHERE segment = ?').run(key)
    connection.prepare('DELETE FROM word_segment WHERE key = ?').run(key)
  }
}

/** The new segment, where anything is left for it, without its words. What it is made of is not held any longer. */
function newSegment(
  connection: Connection,
  inputs: Segment[],
  erasedMessages: ReadonlySet<number>,
  erasedChats: ReadonlySet<number>,
): { messages: Owners; titles: Owners; segment?: number; base: number } {
  const { messages, titles, lists } = mergeLists(connection, inputs, erasedMessages, erasedChats)
  const base = Math.min(messages.least, titles.least)
  if (messages.size === 0 && titles.size === 0) return { messages, titles, base }
  const { newest } = inputs.at(-1)!
  const segment = createSegment(connection, { messages: messages.size, base, ...lists }, newest)
  return { messages, titles, segment, base }
}

function mergeLists(
  connection: Connection,
  inputs: Segment[],
  erasedMessages: ReadonlySet<number>,
  erasedChats: ReadonlySet<number>,
) {
  const loaded = inputs.map((segment) => load(connection, segment))
  const messages = new Owners(
    loaded.map((each) => () => keysIn(each.lists())),
    erasedMessages,
  )
  const titles = new Owners(
    loaded.map((each) => () => titleKeys(each.titles)),
    erasedChats,
  )
  const lists = { lists: mergeMessages(loaded, messages), titles: mergeTitles(loaded, titles) }
  return { messages, titles, lists }
}

/** Which of the inputs tells of a message: the newest that does. */
class Owners {
  /** Each key once, all in order, none to be erased: then lists are joined as they are. */
  readonly untouched: boolean
  readonly least: number
  readonly size: number
  readonly #input: Map<number, number> | undefined

  constructor(inputs: (() => Iterable<number>)[], erased: ReadonlySet<number>) {
    let untouched = true
    let last = -1
    let size = 0
    let least = Number.POSITIVE_INFINITY
    for (const keys of inputs)
      for (const key of keys()) {
        if (key <= last || erased.has(key)) untouched = false
        last = key
        size++
        if (!erased.has(key) && key < least) least = key
      }
    this.untouched = untouched
    this.least = least
    if (!untouched) {
      this.#input = new Map()
      for (const [input, keys] of inputs.entries())
        for (const key of keys()) if (!erased.has(key)) this.#input.set(key, input)
    }
    this.size = this.#input?.size ?? size
  }

  owns(key: number, input: number): boolean {
    return this.#input === undefined || this.#input.get(key) === input
  }
}

function* titleKeys(titles: Uint8Array): Generator<number> {
  for (const { chat } of readTitles(titles)) yield chat
}

function mergeMessages(loaded: Loaded[], owners: Owners): Iterable<Uint8Array> {
  if (owners.untouched) return fewer(inOrder(loaded))
  const out = new MessageListWriter()
  const kept: Parameters<MessageListWriter['add']>[] = []
  for (const [input, { lists }] of loaded.entries())
    for (const list of lists())
      list.each((n, key, chat) => {
        if (owners.owns(key, input))
          kept.push([key, chat, list.label[n]!, list.at(n), list.said[n]!, list.thought[n]!, list.tools[n]!])
      })
  for (const row of kept.sort((a, b) => a[0] - b[0])) out.add(...row)
  return out.take()
}

function* inOrder(loaded: Loaded[]): Generator<MessageList> {
  for (const { lists } of loaded) yield* lists()
}

function mergeTitles(loaded: Loaded[], owners: Owners): Uint8Array {
  const kept = loaded.flatMap(({ titles }, input) =>
    [...readTitles(titles)].filter(({ chat }) => owners.owns(chat, input)),
  )
  return writeTitles(kept.sort((a, b) => a.chat - b.chat))
}

function mergeField(
  connection: Connection,
  inputs: Segment[],
  field: number,
  owners: Owners,
  blocks: BlockWriter,
): void {
  const cursors = inputs.map((segment) => new Cursor(connection, segment, field))
  const waiting = new Tournament(cursors)
  const merged = owners.untouched ? new JoinedList() : new MixedList(owners)
  while (waiting.begin()) {
    merged.clear()
    do {
      const { block, entry } = cursors[waiting.first]!
      block.list()
      merged.add(entry, waiting.first)
    } while (waiting.next())
    merged.finish()
    const { messages, first, last, list } = merged
    if (messages > 0)
      blocks.add(
        field,
        waiting.term,
        0,
        waiting.termLength,
        messages,
        first,
        last,
        list.bytes,
        0,
        list.length,
      )
  }
}

/** The list of a term, made of those of several segments. */
interface MergedList {
  readonly list: ByteWriter
  messages: number
  first: number
  last: number
  clear(): void
  add(entry: Entry, input: number): void
  finish(): void
}

/** One list after the other: only the first distance of each changes. */
class JoinedList implements MergedList {
  readonly list = new ByteWriter()
  messages = 0
  first = 0
  last = 0
  readonly #reader = new ByteReader(new Uint8Array(0))

  clear(): void {
    this.list.length = 0
    this.messages = 0
  }

  add(entry: Entry): void {
    const { list } = this
    const reader = this.#reader
    reader.bytes = entry.bytes
    reader.at = entry.start
    if (this.messages === 0) this.first = entry.first
    const distance = this.messages === 0 ? 0 : entry.first - this.last
    if (entry.messages === 1) addToList(list, distance, reader.number())
    else {
      addToList(list, distance, reader.number() === 1 ? reader.number() : 1)
      list.append(entry.bytes, reader.at, entry.end)
    }
    this.messages += entry.messages
    this.last = entry.last
  }

  finish(): void {}
}

/** Without what a newer segment tells of, or what is to be erased; in the order of keys. */
class MixedList implements MergedList {
  readonly list = new ByteWriter()
  messages = 0
  first = 0
  last = 0
  readonly #owners: Owners
  #kept: [key: number, count: number][] = []

  constructor(owners: Owners) {
    this.#owners = owners
  }

  clear(): void {
    this.#kept = []
  }

  add(entry: Entry, input: number): void {
    eachInList(entry, (key, count) => {
      if (this.#owners.owns(key, input)) this.#kept.push([key, count])
    })
  }

  finish(): void {
    const kept = this.#kept.sort(([a], [b]) => a - b)
    this.list.length = 0
    this.messages = kept.length
    this.first = kept[0]?.[0] ?? 0
    this.last = this.first
    for (const [key, count] of kept) {
      addToList(this.list, key - this.last, count)
      this.last = key
    }
  }
}

function eachInList(entry: Entry, visit: (key: number, count: number) => void): void {
  const reader = new ByteReader(entry.bytes)
  reader.at = entry.start
  if (entry.messages === 1) {
    visit(entry.first, reader.number())
    return
  }
  let key = entry.first
  while (reader.at < entry.end) {
    const step = reader.number()
    key += Math.floor(step / 2)
    visit(key, step % 2 === 1 ? reader.number() : 1)
  }
}
