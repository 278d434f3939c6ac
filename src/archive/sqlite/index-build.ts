import type { MessageKind, Role } from '../../model/chat.ts'
import { Lexicon } from '../lexicon.ts'
import { segmentSum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { BlockWriter, readBlock, saveBlock } from './index-blocks.ts'
import { lengthCode } from './index-bytes.ts'
import { labelOf, MessageList, MessageListWriter, MOST_IN_LIST, writeTitles } from './index-docs.ts'
import { FieldGathering } from './index-invert.ts'
import { damagedWords } from './sums.ts'

/** The last of the word index's fields (said, thought, tools, title). Titles are known by their chat's key, all others by their message's. */
export const TITLE = 3
const FIELDS = 4
/** Where lists of messages stand that have no room in the row of their segment. */
export const LISTS = 4

/** How many words a lexicon holds before it starts anew: with those of one more parcel its tables do not have to grow once more. */
const LEXICON_WORDS = 110_000
const lexicons = new WeakMap<Connection, Lexicon>()

/** The words that a connection has met so far, so that each is taken apart once. */
export function lexiconOf(connection: Connection): Lexicon {
  const lexicon = lexicons.get(connection) ?? new Lexicon()
  lexicons.set(connection, lexicon)
  lexicon.trim(LEXICON_WORDS)
  return lexicon
}

/** The words of one message, as text. */
export interface MessageWords {
  key: number
  chat: number
  role: Role
  kind: MessageKind
  createdAt?: number
  said: string
  thought: string
  tools: string
}

/** Words of messages that were gathered before. */
export interface ReadyWords {
  isEmpty(): boolean
  /** Writes a segment with them and with titles; `addTitles` writes the titles' words. */
  write(
    connection: Connection,
    titles: { key: number; length: number }[],
    addTitles: (blocks: BlockWriter) => void,
  ): void
}

/**
 * The words of one transaction's messages and titles, turned from "message has words" into "word is
 * in messages". What is added last counts where one message comes twice, also against older segments.
 */
export class WordGathering {
  readonly #lexicon: Lexicon
  readonly #fields: FieldGathering[]
  readonly #messages = new Map<number, GatheredMessage>()

  /** What was gathered before with the same lexicon is void then. */
  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon
    this.#fields = fieldsOf(lexicon)
  }

  message({ key, chat, role, kind, createdAt, said, thought, tools }: MessageWords): void {
    const [inSaid, inThought, inTools] = this.#fields as [FieldGathering, FieldGathering, FieldGathering]
    this.#messages.set(key, {
      key,
      chat,
      label: labelOf(role, kind),
      at: Math.floor((createdAt ?? 0) / 1000),
      said: inSaid.add(this.#lexicon, key, said),
      thought: inThought.add(this.#lexicon, key, thought),
      tools: inTools.add(this.#lexicon, key, tools),
    })
  }

  holds(message: number): boolean {
    return this.#messages.has(message)
  }

  title(chat: number, title: string): void {
    this.#fields[TITLE]!.add(this.#lexicon, chat, title)
  }

  /** Writes what was gathered as one segment, if there is anything. What is ready goes before it: what is gathered here is newer. */
  write(connection: Connection, ready?: ReadyWords): void {
    const isApart = ready !== undefined && this.#messages.size > 0
    if (ready && !ready.isEmpty()) {
      const titles = isApart ? [] : this.#fields[TITLE]!.documents()
      ready.write(connection, titles, (blocks) => {
        if (!isApart) this.#fields[TITLE]!.write(this.#lexicon, blocks, TITLE)
      })
      if (!isApart) return
    }
    const titles = this.#fields[TITLE]!.documents()
    if (this.#messages.size === 0 && titles.length === 0) return
    const messages = [...this.#messages.values()].sort((a, b) => a.key - b.key)
    const base = Math.min(messages[0]?.key ?? Infinity, titles[0]?.key ?? Infinity)
    const list = new MessageListWriter()
    for (const { key, chat, label, at, said, thought, tools } of messages)
      list.add(key, chat, label, at, lengthCode(said), lengthCode(thought), lengthCode(tools))
    const segment = createSegment(connection, {
      messages: messages.length,
      base,
      lists: list.take(),
      titles: titleList(titles),
    })
    const blocks = new BlockWriter(connection, segment, base)
    for (const [field, gathered] of this.#fields.entries()) gathered.write(this.#lexicon, blocks, field)
    blocks.finish()
  }
}

const gatherings = new WeakMap<Lexicon, FieldGathering[]>()
/** What a large transaction needed is not kept: so many terms are those of some hundred messages. */
const MOST_KEPT = 1 << 14

/** With the memory of the transaction before: of what the loops are given, little is new for each. */
function fieldsOf(lexicon: Lexicon): FieldGathering[] {
  const fields = gatherings.get(lexicon) ?? Array.from({ length: FIELDS }, () => new FieldGathering())
  gatherings.set(lexicon, fields)
  for (const field of fields) field.clear(MOST_KEPT)
  return fields
}

export function titleList(titles: { key: number; length: number }[]): Uint8Array {
  return writeTitles(titles.map(({ key, length }) => ({ chat: key, code: lengthCode(length) })))
}

interface GatheredMessage {
  key: number
  chat: number
  label: number
  at: number
  said: number
  thought: number
  tools: number
}

/** The list of a segment's messages stands in its row; where there are several, each is a block by itself. */
export function createSegment(
  connection: Connection,
  {
    messages,
    base,
    lists,
    titles,
  }: { messages: number; base: number; lists: Iterable<Uint8Array>; titles: Uint8Array },
  newest?: number,
): number {
  const { prepare } = connection
  const isOne = messages <= MOST_IN_LIST
  const [documents = new Uint8Array(0)] = isOne ? lists : []
  const { lastInsertRowid } = prepare(
    'INSERT INTO word_segment (newest, messages, base, documents, titles, sum) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(newest ?? 0, messages, base, documents, titles, segmentSum(base, messages, documents, titles))
  const key = Number(lastInsertRowid)
  if (newest === undefined) prepare('UPDATE word_segment SET newest = ? WHERE key = ?').run(key, key)
  if (!isOne) for (const list of lists) saveBlock(connection, key, LISTS, null, list)
  return key
}

/** The lists of a segment's messages, one after the other; `messages` and `documents` are what its row holds. */
export function* listsOf(
  connection: Connection,
  segment: number,
  { messages, documents }: { messages: number; documents: Uint8Array },
): Generator<MessageList> {
  let left = messages
  if (documents.length > 0) {
    const list = new MessageList(documents)
    left -= list.size
    yield list
  }
  const rows = connection
    .prepare('SELECT key FROM word_block WHERE segment = ? AND field = ? ORDER BY key')
    .all(segment, LISTS)
  for (const { key } of rows) {
    const list = new MessageList(readBlock(connection, Number(key)))
    left -= list.size
    yield list
  }
  if (left !== 0) throw damagedWords(connection)
}
