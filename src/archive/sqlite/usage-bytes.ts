import { ByteReader, ByteWriter } from './index-bytes.ts'

/**
 * What some neighbouring chats used, as bytes: a table of names; then for each chat its key, source, workspace, first
 * and last time and the length of the rest; then for each quarter of an hour and model the sums that are not
 * zero, every measured time, and how often each tool was called and failed.
 */
export interface ChatSums {
  chat: number
  source: string
  workspace: string | null
  /** Epoch milliseconds of its first and last message that has a time; 0 where none has. */
  first: number
  last: number
  entries: Entry[]
}

export interface Entry {
  /** Quarters of an hour since 1970: no time zone is off by less. Null where no time is known. */
  slot: number | null
  model: string | null
  /** In the order of COUNTED in kept-usage.ts. */
  numbers: number[]
  cost: number
  latencies: number[]
  thinking: number[]
  tools: { name: string; calls: number; failures: number }[]
}

const SUMMED = 1
const RECOUNTED = 0

/** What stands for sums that cannot be kept: those chats are counted each time. */
const NOT_KEPT = Uint8Array.of(RECOUNTED)

/** The bytes of some chats' sums; NOT_KEPT where a number is none that a file should tell. */
export function packSums(chats: ChatSums[]): Uint8Array {
  const names = new Map<string, number>()
  const nameOf = (name: string) => {
    const known = names.get(name)
    if (known !== undefined) return known
    names.set(name, names.size)
    return names.size - 1
  }
  try {
    const body = new ByteWriter()
    whole(body, chats.length)
    for (const chat of chats) {
      const entries = packEntries(chat, nameOf)
      for (const value of [
        chat.chat,
        nameOf(chat.source),
        orNone(chat.workspace, nameOf),
        chat.first,
        chat.last,
      ])
        whole(body, value)
      whole(body, entries.length)
      body.append(entries, 0, entries.length)
    }
    const out = new ByteWriter()
    out.byte(SUMMED)
    whole(out, names.size)
    for (const name of names.keys()) {
      const bytes = Buffer.from(name)
      whole(out, bytes.length)
      out.append(bytes, 0, bytes.length)
    }
    out.append(body.bytes, 0, body.length)
    return out.take()
  } catch (error) {
    if (error instanceof RangeError) return NOT_KEPT
    throw error
  }
}

function packEntries({ entries }: ChatSums, nameOf: (name: string) => number): Uint8Array {
  const out = new ByteWriter()
  whole(out, entries.length)
  for (const { slot, model, numbers, cost, latencies, thinking, tools } of entries) {
    whole(out, slot === null ? 0 : slot + 1)
    whole(out, orNone(model, nameOf))
    let mask = cost === 0 ? 0 : 1
    for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) mask |= 2 << i
    whole(out, mask)
    if (cost !== 0) out.append(new Uint8Array(Float64Array.of(cost).buffer), 0, 8)
    for (const number of numbers) if (number !== 0) whole(out, number)
    for (const list of [latencies, thinking]) {
      whole(out, list.length)
      for (const ms of list) whole(out, ms)
    }
    whole(out, tools.length)
    for (const { name, calls, failures } of tools) {
      whole(out, nameOf(name))
      whole(out, calls)
      whole(out, failures)
    }
  }
  return out.take()
}

function orNone(name: string | null, nameOf: (name: string) => number): number {
  return name === null ? 0 : nameOf(name) + 1
}

function whole(out: ByteWriter, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number`)
  out.number(value)
}

/** What is done with sums that are read. */
export interface SumsVisitor {
  /** Says whether the sums of this chat are wanted. */
  chat(chat: Omit<ChatSums, 'entries'>): boolean
  /** Says where in `numbers` those that follow are to be added, the cost behind them; less than 0: nowhere. */
  entry(slot: number | null, model: string | null): number
  /** As it is after `entry`. */
  readonly numbers: Float64Array
  latency(ms: number): void
  thinking(ms: number): void
  tool(name: string, calls: number, failures: number): void
}

/** Reads what `packSums` wrote, of `count` numbers each; false where these chats have to be counted. */
export function readSums(
  bytes: Uint8Array,
  count: number,
  visitor: SumsVisitor,
  nameIn: NameIn = decoded,
): boolean {
  const from = new ByteReader(bytes)
  if (bytes[from.at++] !== SUMMED) return false
  const names: string[] = []
  for (let left = from.number(); left > 0; left--) {
    const length = from.number()
    from.at += length
    names.push(nameIn(bytes, from.at - length, from.at))
  }
  const one = new Float64Array(1)
  const oneBytes = new Uint8Array(one.buffer)
  for (let left = from.number(); left > 0; left--) {
    const chat = from.number()
    const source = names[from.number()]!
    const workspace = names[from.number() - 1] ?? null
    const [first, last] = [from.number(), from.number()]
    const end = from.number() + from.at
    if (!visitor.chat({ chat, source, workspace, first, last })) {
      from.at = end
      continue
    }
    for (let entries = from.number(); entries > 0; entries--) {
      const slot = from.number() - 1
      const at = visitor.entry(slot < 0 ? null : slot, names[from.number() - 1] ?? null)
      const isWanted = at >= 0
      const into = visitor.numbers
      const mask = from.number()
      if (mask & 1) {
        for (let i = 0; i < 8; i++) oneBytes[i] = bytes[from.at++]!
        if (isWanted) into[at + count]! += one[0]!
      }
      // Only those that are there: most are not.
      for (let rest = mask >>> 1; rest !== 0; rest &= rest - 1) {
        const value = from.number()
        if (isWanted) into[at + 31 - Math.clz32(rest & -rest)]! += value
      }
      for (let i = from.number(); i > 0; i--) {
        const ms = from.number()
        if (isWanted) visitor.latency(ms)
      }
      for (let i = from.number(); i > 0; i--) {
        const ms = from.number()
        if (isWanted) visitor.thinking(ms)
      }
      for (let i = from.number(); i > 0; i--) {
        const name = names[from.number()]!
        const calls = from.number()
        const failures = from.number()
        if (isWanted) visitor.tool(name, calls, failures)
      }
    }
  }
  return true
}

type NameIn = (bytes: Uint8Array, from: number, to: number) => string

const decoder = new TextDecoder()
const decoded: NameIn = (bytes, from, to) => decoder.decode(bytes.subarray(from, to))

/**
 * Decodes each name once, and gives the same string again for the same bytes: a thousand tables hold the same few, and
 * one and the same string is also found sooner in a map.
 */
export function knownNames(): NameIn {
  const known = new Map<number, { bytes: Uint8Array; name: string }>()
  return (bytes, from, to) => {
    let hash = to - from
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0
    const found = known.get(hash)
    if (found && isSame(found.bytes, bytes, from, to)) return found.name
    const name = decoded(bytes, from, to)
    known.set(hash, { bytes: bytes.slice(from, to), name })
    return name
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false
  for (let i = from; i < to; i++) if (name[i - from] !== bytes[i]) return false
  return true
}
