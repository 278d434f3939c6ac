import type { Documents } from '../archive.ts'
import { lengthOf } from './index-bytes.ts'
import { MessageListReader, readTitles } from './index-docs.ts'

/**
 * What ranking needs of every message, by its key, in flat arrays. One message may stand in several
 * segments; only the newest counts, its owner.
 */
export class DocumentTable implements Documents {
  chat = new Int32Array(1 << 12)
  label = new Uint8Array(1 << 12)
  at = new Uint32Array(1 << 12)
  said = new Uint8Array(1 << 12)
  thought = new Uint8Array(1 << 12)
  tools = new Uint8Array(1 << 12)
  before = new Int32Array(1 << 12)
  after = new Int32Array(1 << 12)
  title = new Uint8Array(1 << 8)
  chatWords = new Float32Array(1 << 8)
  chatAt = new Uint32Array(1 << 8)
  /** Number of the segment plus one; 0 for keys that are not in the index. */
  owner = new Uint16Array(1 << 12)
  titleOwner = new Uint16Array(1 << 8)
  messages = { said: 0, thought: 0, tools: 0, title: 0 }
  words = { said: 0, thought: 0, tools: 0, title: 0 }
  chats = 0
  end = 0
  endOfChats = 0

  /** By slot: how new the segment is; -1 for one that is gone. */
  #newest: number[] = [-1]
  #retired = false
  #moved = false
  /** By chat: its last message so far. */
  #last = new Int32Array(1 << 8)

  lengthOf = lengthOf

  /** Makes room for keys up to these, so that it need not grow by and by. */
  expect(message: number, chat: number): void {
    if (message >= this.owner.length) this.#growMessages(Math.ceil(message * 1.05))
    if (chat >= this.titleOwner.length) this.#growChats(Math.ceil(chat * 1.05), true)
  }

  /** Takes a segment in and gives it a number. What is of no allowed chat is as if it were not there. */
  add(newest: number, documents: Uint8Array, titles: Uint8Array, allowed?: ReadonlySet<number>): number {
    const slot = this.#slot(newest)
    const list = new MessageListReader(documents)
    while (list.next()) {
      const { key, chat } = list
      if (allowed && !allowed.has(chat)) continue
      if (key >= this.owner.length) this.#growMessages(key)
      const old = this.owner[key]!
      if (old !== 0 && this.#newest[old]! > newest) continue
      this.#growChats(chat)
      if (old === 0) {
        if (list.said > 0) this.#link(key, chat)
      } else {
        this.#count(key, -1)
        if ((this.said[key] === 0) !== (list.said === 0)) this.#moved = true
      }
      this.owner[key] = slot
      this.chat[key] = chat
      this.label[key] = list.label
      this.at[key] = list.at
      this.said[key] = list.said
      this.thought[key] = list.thought
      this.tools[key] = list.tools
      if (key >= this.end) this.end = key + 1
      if (list.at > this.chatAt[chat]!) this.chatAt[chat] = list.at
      this.#count(key, 1)
    }
    for (const { chat, code } of readTitles(titles)) {
      if (allowed && !allowed.has(chat)) continue
      this.#growChats(chat)
      const old = this.titleOwner[chat]!
      if (old !== 0 && this.#newest[old]! > newest) continue
      if (old !== 0) this.#countTitle(chat, -1)
      this.titleOwner[chat] = slot
      this.title[chat] = code
      this.#countTitle(chat, 1)
    }
    return slot
  }

  /** The segment is gone. What it owned is another's, or gone too: `settle` finds out. */
  retire(slot: number): void {
    this.#newest[slot] = -1
    this.#retired = true
  }

  settle(): void {
    if (this.#retired) {
      for (let key = 0; key < this.end; key++) {
        const slot = this.owner[key]!
        if (slot === 0 || this.#newest[slot] !== -1) continue
        this.#count(key, -1)
        this.owner[key] = 0
        this.#moved = true
      }
      for (let chat = 0; chat < this.endOfChats; chat++) {
        const slot = this.titleOwner[chat]!
        if (slot === 0 || this.#newest[slot] !== -1) continue
        this.#countTitle(chat, -1)
        this.titleOwner[chat] = 0
      }
      this.#retired = false
    }
    if (this.#moved) this.#relink()
    this.#moved = false
    this.chats = 0
    for (let chat = 0; chat < this.endOfChats; chat++) if (this.chatWords[chat]! > 0) this.chats++
  }

  #slot(newest: number): number {
    for (let slot = 1; slot < this.#newest.length; slot++) {
      if (this.#newest[slot] === -1 && !this.#retired) {
        this.#newest[slot] = newest
        return slot
      }
    }
    return this.#newest.push(newest) - 1
  }

  /** Written out field by field: it runs for every message when a process first searches. */
  #count(key: number, sign: 1 | -1): void {
    const { messages, words } = this
    const said = this.said[key]!
    if (said !== 0) {
      const length = sign * lengthOf(said)
      messages.said += sign
      words.said += length
      this.chatWords[this.chat[key]!]! += length
    }
    const thought = this.thought[key]!
    if (thought !== 0) {
      messages.thought += sign
      words.thought += sign * lengthOf(thought)
    }
    const tools = this.tools[key]!
    if (tools !== 0) {
      messages.tools += sign
      words.tools += sign * lengthOf(tools)
    }
  }

  #countTitle(chat: number, sign: 1 | -1): void {
    this.messages.title += sign
    this.words.title += sign * lengthOf(this.title[chat]!)
  }

  /** Messages of one chat in the order of their keys, which is the order in which they were told. */
  #link(key: number, chat: number): void {
    const last = this.#last[chat]!
    if (last > key) this.#moved = true
    this.before[key] = last
    this.after[key] = 0
    if (last !== 0) this.after[last] = key
    this.#last[chat] = key
  }

  #relink(): void {
    this.#last.fill(0)
    this.before.fill(0)
    this.after.fill(0)
    for (let key = 0; key < this.end; key++)
      if (this.owner[key] !== 0 && this.said[key]! > 0) this.#link(key, this.chat[key]!)
    this.#moved = false
  }

  #growMessages(key: number): void {
    const length = Math.max(key + 1, Math.ceil(this.owner.length * 1.2))
    this.chat = copied(this.chat, length)
    this.label = copied(this.label, length)
    this.at = copied(this.at, length)
    this.said = copied(this.said, length)
    this.thought = copied(this.thought, length)
    this.tools = copied(this.tools, length)
    this.before = copied(this.before, length)
    this.after = copied(this.after, length)
    this.owner = copied(this.owner, length)
  }

  #growChats(chat: number, ahead = false): void {
    if (chat >= this.endOfChats && !ahead) this.endOfChats = chat + 1
    if (chat < this.titleOwner.length) return
    const length = Math.max(chat + 1, Math.ceil(this.titleOwner.length * 1.2))
    this.title = copied(this.title, length)
    this.titleOwner = copied(this.titleOwner, length)
    this.chatWords = copied(this.chatWords, length)
    this.chatAt = copied(this.chatAt, length)
    this.#last = copied(this.#last, length)
  }
}

function copied<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length)
  larger.set(array)
  return larger
}
