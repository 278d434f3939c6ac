import {
  type Body,
  detailsOf,
  MOST_BYTES,
  MOST_MESSAGES,
  pack,
  partAt,
  readable,
  textsOf,
  unpack,
} from './blocks.ts'
import type { Connection } from './connection.ts'

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
  texts: string[]
  details: string[]
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
  put(chat: { key: number; openBlock: number | null }, body: Body): Put {
    const size = sizeOf(body)
    if (size.textBytes + size.detailBytes > MOST_BYTES) return append(this.#create(chat.key), body, size)
    let open = chat.openBlock === null ? undefined : this.#block(chat.openBlock, chat.key)
    if (!open || isFull(open)) {
      open = this.#create(chat.key)
      chat.openBlock = open.key
    }
    const put = append(open, body, size)
    if (isFull(open)) chat.openBlock = null
    return put
  }

  /** Puts another body in the place of one. It stays in its slot unless it is too long for company. */
  replace(chat: { key: number; openBlock: number | null }, at: Pick<Put, 'block' | 'slot'>, body: Body): Put {
    const size = sizeOf(body)
    const open = this.#block(at.block, chat.key)
    if (size.textBytes + size.detailBytes > MOST_BYTES && open.texts.length > 1) {
      set(open, at.slot, { text: '', detail: null })
      return this.put(chat, body)
    }
    set(open, at.slot, body)
    return { ...at, ...size }
  }

  empty(chat: number, at: Pick<Put, 'block' | 'slot'>): void {
    set(this.#block(at.block, chat), at.slot, { text: '', detail: null })
  }

  /** What a message says that this transaction may have written. */
  text(chat: number, at: Pick<Put, 'block' | 'slot'>): string {
    return (this.#open.get(at.block) ?? this.#read(at.block, chat)).texts[at.slot] ?? ''
  }

  finish(): void {
    // In the order of their keys, for a table that is appended to has full pages.
    for (const open of [...this.#open.values()].sort((a, b) => a.key - b.key)) this.#write(open)
    this.#open.clear()
  }

  #create(chat: number): OpenBlock {
    const open = { key: this.#next++, chat, isNew: true, texts: [], details: [], bytes: 0 }
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
        texts: slots.map((slot) => partAt(texts, slot)),
        details: slots.map((slot) => (details ? partAt(details, slot) : '')),
        bytes: texts.bytes.length + (details?.bytes.length ?? 0),
      }
    })
  }

  #write({ key, chat, isNew, texts, details, bytes }: OpenBlock): void {
    const { prepare } = this.#connection
    prepare(
      isNew
        ? 'INSERT INTO block (messages, bytes, texts, chat, key) VALUES (?, ?, ?, ?, ?)'
        : 'UPDATE block SET messages = ?, bytes = ?, texts = ?, chat = ? WHERE key = ?',
    ).run(texts.length, bytes, pack(texts), chat, key)
    if (details.some((detail) => detail !== ''))
      prepare('INSERT OR REPLACE INTO block_detail (key, details) VALUES (?, ?)').run(key, pack(details))
    else if (!isNew) prepare('DELETE FROM block_detail WHERE key = ?').run(key)
  }
}

function sizeOf({ text, detail }: Body): { textBytes: number; detailBytes: number } {
  return { textBytes: Buffer.byteLength(text), detailBytes: detail === null ? 0 : Buffer.byteLength(detail) }
}

function isFull({ texts, bytes }: OpenBlock): boolean {
  return texts.length >= MOST_MESSAGES || bytes >= MOST_BYTES
}

function append(open: OpenBlock, body: Body, size: Pick<Put, 'textBytes' | 'detailBytes'>): Put {
  open.texts.push(body.text)
  open.details.push(body.detail ?? '')
  open.bytes += size.textBytes + size.detailBytes
  return { block: open.key, slot: open.texts.length - 1, ...size }
}

function set(open: OpenBlock, slot: number, { text, detail }: Body): void {
  open.bytes += Buffer.byteLength(text) - Buffer.byteLength(open.texts[slot] ?? '')
  open.bytes += Buffer.byteLength(detail ?? '') - Buffer.byteLength(open.details[slot] ?? '')
  open.texts[slot] = text
  open.details[slot] = detail ?? ''
}
