import {
  bytes,
  type Doubles,
  doubles,
  type Ints,
  ints,
  longer,
  release,
  shorts,
  uints,
} from '../../platform/loops/memory.ts'
import { countCodes, fillShorts, takeIn } from '../../platform/loops/table.ts'
import { type Beside, type Documents, FAR } from '../archive.ts'
import { LENGTHS, LOW_FIRST, lengthOf } from './index-bytes.ts'
import { type MessageList, readTitles, TIME_BYTES } from './index-docs.ts'

/**
 * What ranking needs of every message, by its key, in flat arrays. One message may stand in several
 * segments; only the newest counts, its owner.
 */
export class DocumentTable implements Documents {
  chat = ints(1 << 12)
  label = bytes(1 << 12)
  at = uints(1 << 12)
  said = bytes(1 << 12)
  thought = bytes(1 << 12)
  tools = bytes(1 << 12)
  before: Beside = { steps: bytes(1 << 12), far: new Map() }
  after: Beside = { steps: bytes(1 << 12), far: new Map() }
  title = bytes(1 << 8)
  chatWords = doubles(1 << 8)
  chatAt = uints(1 << 8)
  /** Number of the segment plus one; 0 for keys that are not in the index. */
  owner = shorts(1 << 12)
  titleOwner = shorts(1 << 8)
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
  #last = ints(1 << 8)
  /** By field: how many messages have each code of a length. */
  readonly #codes = { said: ints(256), thought: ints(256), tools: ints(256) }

  lengthOf = lengthOf

  /** Makes room for keys up to these, so that it need not grow by and by. */
  expect(message: number, chat: number): void {
    if (message >= this.owner.length) this.#growMessages(Math.ceil(message * 1.05))
    if (chat >= this.titleOwner.length) this.#growChats(Math.ceil(chat * 1.05), true)
  }

  /** Takes a segment in and gives it a number. What is of no allowed chat is as if it were not there. */
  add(
    newest: number,
    lists: Iterable<MessageList>,
    titles: Uint8Array,
    allowed?: ReadonlySet<number>,
  ): number {
    const slot = this.#slot(newest)
    try {
      for (const list of lists) this.#addList(list, slot, allowed)
    } catch (error) {
      // One of them cannot be read: what the others said is not kept either.
      this.retire(slot)
      throw error
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

  #addList(list: MessageList, slot: number, allowed?: ReadonlySet<number>): void {
    if (list.last >= this.owner.length) this.#growMessages(list.last)
    if (allowed || !LOW_FIRST || !list.isWhole || !this.#isFree(list)) this.#addEach(list, slot, allowed)
    else this.#addAll(list, slot)
  }

  /** Whether no other segment tells of these messages. */
  #isFree({ keys }: MessageList): boolean {
    for (let i = 0; i < keys.length; i += 2)
      if (!isZero(this.owner, keys[i]!, Math.min(this.end, keys[i]! + keys[i + 1]!))) return false
    return true
  }

  /** Copies the columns: it runs for every message when a process first searches. */
  #addAll(list: MessageList, slot: number): void {
    const { keys, chats } = list
    if (list.last >= this.end) this.end = list.last + 1
    for (let i = 0; i < chats.length; i += 2) this.#growChats(chats[i]!)
    const times = new Uint8Array(this.at.buffer, this.at.byteOffset, this.at.byteLength)
    for (let i = 0, n = 0; i < keys.length; i += 2) {
      const key = keys[i]!
      const next = n + keys[i + 1]!
      const end = key + next - n
      fillShorts(this.owner, key, end, slot)
      this.label.set(list.label.subarray(n, next), key)
      this.said.set(list.said.subarray(n, next), key)
      this.thought.set(list.thought.subarray(n, next), key)
      this.tools.set(list.tools.subarray(n, next), key)
      times.set(list.times.subarray(n * TIME_BYTES, next * TIME_BYTES), key * TIME_BYTES)
      countCodes(this.#codes.thought, this.thought.byteOffset + key, end - key)
      countCodes(this.#codes.tools, this.tools.byteOffset + key, end - key)
      n = next
    }
    const { chat, said, at, before, after, chatWords, chatAt } = this
    // One is far from the next where others came between, keys are left out, or nothing was said in many: no more often than these are.
    const most = keys.length / 2 + chats.length / 2 + Math.ceil(list.size / FAR)
    const fars = ints(1 + 2 * most)
    const [runs, chatRuns, state] = [filled(keys), filled(chats), ints(4)]
    while (state[0]! < keys.length / 2) {
      const isInOrder = takeIn(
        runs,
        keys.length / 2,
        chatRuns,
        chat,
        said,
        this.#codes.said,
        at,
        before.steps,
        after.steps,
        FAR,
        this.#last,
        chatWords,
        chatAt,
        lengths(),
        fars,
        state,
        AT_A_TIME,
      )
      if (!isInOrder) this.#moved = true
    }
    for (let i = 1; i <= fars[0]!; i += 2) {
      before.far.set(fars[i + 1]!, fars[i]!)
      after.far.set(fars[i]!, fars[i + 1]!)
    }
    for (const list of [fars, runs, chatRuns, state]) release(list)
  }

  #addEach(list: MessageList, slot: number, allowed?: ReadonlySet<number>): void {
    const newest = this.#newest[slot]!
    list.each((n, key, chat) => {
      if (allowed && !allowed.has(chat)) return
      const old = this.owner[key]!
      if (old !== 0 && this.#newest[old]! > newest) return
      const said = list.said[n]!
      if (key >= this.end) this.end = key + 1
      this.#growChats(chat)
      if (old === 0) {
        if (said > 0) this.#link(key, chat)
      } else {
        this.#count(key, -1)
        if ((this.said[key] === 0) !== (said === 0)) this.#moved = true
      }
      this.owner[key] = slot
      this.chat[key] = chat
      this.label[key] = list.label[n]!
      this.at[key] = list.at(n)
      this.said[key] = said
      this.thought[key] = list.thought[n]!
      this.tools[key] = list.tools[n]!
      if (this.at[key]! > this.chatAt[chat]!) this.chatAt[chat] = this.at[key]!
      this.#count(key, 1)
    })
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
    for (const field of ['said', 'thought', 'tools'] as const) this.#sum(field)
    this.chats = 0
    for (let chat = 0; chat < this.endOfChats; chat++) if (this.chatWords[chat]! > 0) this.chats++
  }

  #sum(field: 'said' | 'thought' | 'tools'): void {
    const codes = this.#codes[field]
    this.messages[field] = 0
    this.words[field] = 0
    for (let code = 1; code < codes.length; code++) {
      this.messages[field] += codes[code]!
      this.words[field] += codes[code]! * lengthOf(code)
    }
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

  #count(key: number, sign: 1 | -1): void {
    this.#codes.said[this.said[key]!]! += sign
    this.#codes.thought[this.thought[key]!]! += sign
    this.#codes.tools[this.tools[key]!]! += sign
    if (this.said[key] !== 0) this.chatWords[this.chat[key]!]! += sign * lengthOf(this.said[key]!)
  }

  #countTitle(chat: number, sign: 1 | -1): void {
    this.messages.title += sign
    this.words.title += sign * lengthOf(this.title[chat]!)
  }

  /** Messages of one chat in the order of their keys, which is the order in which they were told. */
  #link(key: number, chat: number): void {
    const last = this.#last[chat]!
    if (last > key) this.#moved = true
    this.after.steps[key] = 0
    link(this.before, this.after, last, key)
    this.#last[chat] = key
  }

  #relink(): void {
    this.#last.fill(0)
    for (const { steps, far } of [this.before, this.after]) {
      steps.fill(0)
      far.clear()
    }
    for (let key = 0; key < this.end; key++)
      if (this.owner[key] !== 0 && this.said[key]! > 0) this.#link(key, this.chat[key]!)
    this.#moved = false
  }

  #growMessages(key: number): void {
    const length = Math.max(key + 1, Math.ceil(this.owner.length * 1.2))
    this.chat = longer(this.chat, length)
    this.label = longer(this.label, length)
    this.at = longer(this.at, length)
    this.said = longer(this.said, length)
    this.thought = longer(this.thought, length)
    this.tools = longer(this.tools, length)
    this.before.steps = longer(this.before.steps, length)
    this.after.steps = longer(this.after.steps, length)
    this.owner = longer(this.owner, length)
  }

  #growChats(chat: number, ahead = false): void {
    if (chat >= this.endOfChats && !ahead) this.endOfChats = chat + 1
    if (chat < this.titleOwner.length) return
    const length = Math.max(chat + 1, Math.ceil(this.titleOwner.length * 1.2))
    this.title = longer(this.title, length)
    this.titleOwner = longer(this.titleOwner, length)
    this.chatWords = longer(this.chatWords, length)
    this.chatAt = longer(this.chatAt, length)
    this.#last = longer(this.#last, length)
  }
}

/** Messages that are taken in by one call of the loop. */
const AT_A_TIME = 1 << 15

/** By its code. */
function lengths(): Doubles {
  if (!lengthsOfCodes) {
    lengthsOfCodes = doubles(LENGTHS.length)
    lengthsOfCodes.set(LENGTHS)
  }
  return lengthsOfCodes
}

let lengthsOfCodes: Doubles | undefined

/** Where the loops can read them. */
function filled(numbers: Int32Array): Ints {
  const list = ints(numbers.length)
  list.set(numbers)
  return list
}

/** Two messages of a chat, one after the other; nothing stands before the first. */
function link(before: Beside, after: Beside, last: number, key: number): void {
  const step = last === 0 ? 0 : Math.min(FAR, key - last)
  before.steps[key] = step
  if (last === 0) return
  after.steps[last] = step
  if (step < FAR) return
  before.far.set(key, last)
  after.far.set(last, key)
}

function isZero(numbers: Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (numbers[i] !== 0) return false
  return true
}
