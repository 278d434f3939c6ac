import {
  type Body,
  bytesAt,
  detailsOf,
  MOST_BYTES,
  MOST_MESSAGES,
  pack,
  readable,
  textsOf,
  unpack,
} from './blocks.ts'
import { addRow, type Connection } from './connection.ts'

/** Where a body was put, and its size there. */
export interface Put {
  block: number
  slot: number
  textBytes: number
  detailBytes: number
}

interface OpenBlock {
  key: number
  chat: number
  isNew: boolean
  texts: Uint8Array[]
  details: Uint8Array[]
  bytes: number
}

/**
 * Puts bodies into blocks within one transaction. Each chat has one block that is not full: what is
 * appended goes there, so that a message costs at most the packing of one block. Blocks are packed
 * at the end.
 */
export class BodyWriter {
  readonly #connection: Connection
  /** Blocks that were changed and are not written yet. */
  readonly #open = new Map<number, OpenBlock>()
  #next: number

  constructor(connection: Connection) {
    this.#connection = connection
    this.#next = Number(connection.prepare('SELECT coalesce(max(key), 0) + 1 AS key FROM block').get()!.key)
  }

  /** Appends a body to a chat's blocks. */
  put(chat: { key: number; openBlock: number | null }, bytes: Encoded): Put {
    if (isLong(bytes)) return append(this.#create(chat.key), bytes)
    let open = this.#notFull(chat)
    if (!open || isFull(open)) {
      open = this.#create(chat.key)
      chat.openBlock = open.key
    }
    const put = append(open, bytes)
    if (isFull(open)) chat.openBlock = null
    return put
  }

  /** Puts another body in the place of one. It stays in its slot unless it is too long for company. */
  replace(
    chat: { key: number; openBlock: number | null },
    at: Pick<Put, 'block' | 'slot'>,
    bytes: Encoded,
  ): Put {
    const open = this.#block(at.block, chat.key)
    if (isLong(bytes) && open.texts.length > 1) {
      set(open, at.slot, EMPTY)
      return append(this.#create(chat.key), bytes)
    }
    set(open, at.slot, bytes)
    return { ...at, textBytes: bytes.text.length, detailBytes: bytes.detail.length }
  }

  empty(chat: number, at: Pick<Put, 'block' | 'slot'>): void {
    set(this.#block(at.block, chat), at.slot, EMPTY)
  }

  /** What a message says that this transaction may have written. */
  text(chat: number, at: Pick<Put, 'block' | 'slot'>): string {
    const text = (this.#open.get(at.block) ?? this.#read(at.block, chat)).texts[at.slot]
    return text ? Buffer.from(text.buffer, text.byteOffset, text.length).toString() : ''
  }

  finish(): void {
    // In the order of their keys, for a table that is appended to has full pages.
    for (const open of [...this.#open.values()].sort((a, b) => a.key - b.key)) this.#write(open)
    this.#open.clear()
  }

  #notFull({ key, openBlock }: { key: number; openBlock: number | null }): OpenBlock | undefined {
    if (openBlock === null) return undefined
    try {
      return this.#block(openBlock, key)
    } catch {
      // A damaged block stays as it is, for what can be saved of it; what is said from now on goes elsewhere.
      return undefined
    }
  }

  #create(chat: number): OpenBlock {
    const open: OpenBlock = { key: this.#next++, chat, isNew: true, texts: [], details: [], bytes: 0 }
    this.#open.set(open.key, open)
    return open
  }

  #block(key: number, chat: number): OpenBlock {
    const open = this.#open.get(key) ?? this.#read(key, chat)
    this.#open.set(key, open)
    return open
  }

  #read(key: number, chat: number): OpenBlock {
    return readable(this.#connection, chat, () => {
      const packed = detailsOf(this.#connection, key)
      const texts = unpack(textsOf(this.#connection, key))
      const details = packed && unpack(packed)
      const slots = Array.from({ length: texts.count }, (_, slot) => slot)
      return {
        key,
        chat,
        isNew: false,
        texts: slots.map((slot) => bytesAt(texts, slot)),
        details: slots.map((slot) => (details ? bytesAt(details, slot) : NOTHING)),
        bytes: texts.bytes.length + (details?.bytes.length ?? 0),
      }
    })
  }

  #write({ key, chat, isNew, texts, details, bytes }: OpenBlock): void {
    const connection = this.#connection
    const { prepare } = connection
    const hasDetails = details.some((detail) => detail.length > 0)
    if (isNew) {
      addRow(connection, NEW_BLOCK, key, chat, texts.length, bytes, pack(texts))
      if (hasDetails) addRow(connection, NEW_DETAILS, key, pack(details))
      return
    }
    prepare('UPDATE block SET messages = ?, bytes = ?, texts = ?, chat = ? WHERE key = ?').run(
      texts.length,
      bytes,
      pack(texts),
      chat,
      key,
    )
    if (hasDetails)
      prepare('INSERT OR REPLACE INTO block_detail (key, details) VALUES (?, ?)').run(key, pack(details))
    else prepare('DELETE FROM block_detail WHERE key = ?').run(key)
  }
}

const NEW_BLOCK = 'INSERT OR IGNORE INTO block (key, chat, messages, bytes, texts) VALUES (?, ?, ?, ?, ?)'
const NEW_DETAILS = 'INSERT OR IGNORE INTO block_detail (key, details) VALUES (?, ?)'

/** A body as bytes. */
export interface Encoded {
  text: Uint8Array
  detail: Uint8Array
}

const NOTHING = Buffer.alloc(0)
const EMPTY: Encoded = { text: NOTHING, detail: NOTHING }

function isLong({ text, detail }: Encoded): boolean {
  return text.length + detail.length > MOST_BYTES
}

export function encoded({ text, detail }: Body): Encoded {
  return { text: Buffer.from(text), detail: detail === null ? NOTHING : Buffer.from(detail) }
}

function isFull({ texts, bytes }: OpenBlock): boolean {
  return texts.length >= MOST_MESSAGES || bytes >= MOST_BYTES
}

function append(open: OpenBlock, { text, detail }: Encoded): Put {
  open.texts.push(text)
  open.details.push(detail)
  open.bytes += text.length + detail.length
  return { block: open.key, slot: open.texts.length - 1, textBytes: text.length, detailBytes: detail.length }
}

function set(open: OpenBlock, slot: number, { text, detail }: Encoded): void {
  open.bytes += text.length - (open.texts[slot]?.length ?? 0)
  open.bytes += detail.length - (open.details[slot]?.length ?? 0)
  open.texts[slot] = text
  open.details[slot] = detail
}
