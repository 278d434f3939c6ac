import type { Message, MessageKind, Role } from '../../model/chat.ts'
import { bounded, isBounded } from '../../model/limits.ts'
import { knownTime } from '../../model/merge.ts'
import { detailOf, hashOf, hashOfBytes } from '../body.ts'
import { FACT, FACTS, type Parcel } from '../parcel.ts'
import { KINDS, ROLES } from '../search-shapes.ts'

/** A message as it is written: bounded, hashed and encoded. */
export interface PreparedMessage {
  id: string
  order: number
  role: Role
  kind: MessageKind
  createdAt?: number
  undone: boolean
  model?: string
  hash: number
  /** What it says. Made of the bytes where it is asked for. */
  text: string
  textBytes: Uint8Array
  /** None where there are none. */
  detailBytes: Uint8Array
  tools: ToolRow[]
  usage: UsageRow
  /** Its number in a parcel, which holds its words. */
  ordinal?: number
  /** All of it, where its words are still to be found. */
  whole?: Message
}

/** A call of a tool; without a tool a call that failed. */
export interface ToolRow {
  /** Of the call's id. */
  hash: number
  tool?: string
}

/** Numbers of a message in the order of their columns. */
export type UsageRow = (number | null)[]

const NOTHING = new Uint8Array(0)

export function preparedFrom(given: Message): PreparedMessage {
  const { message, detail } = tidied(given)
  return {
    id: message.id,
    order: message.order,
    role: message.role,
    kind: message.kind,
    createdAt: message.createdAt,
    undone: message.undone ?? false,
    model: message.model,
    hash: hashOf(message, detail),
    text: message.text,
    textBytes: Buffer.from(message.text),
    detailBytes: detail === null ? NOTHING : Buffer.from(detail),
    tools: toolRows(message),
    usage: usageRow(message),
    whole: message,
  }
}

/** The message that was told, out of what is written of it. */
export function messageOf(told: PreparedMessage): Message {
  const detail = Buffer.from(told.detailBytes).toString()
  const [input, output, cached, cacheWrite, reasoning, cost, latencyMs] = told.usage
  const usage = Object.fromEntries(
    Object.entries({ input, output, cached, cacheWrite, reasoning, cost }).filter(
      ([, value]) => value !== null,
    ),
  )
  return {
    id: told.id,
    order: told.order,
    role: told.role,
    kind: told.kind,
    text: told.text,
    ...(detail && JSON.parse(detail)),
    ...(told.createdAt !== undefined && { createdAt: told.createdAt }),
    ...(told.model !== undefined && { model: told.model }),
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(latencyMs !== null && latencyMs !== undefined && { latencyMs }),
    ...(told.undone && { undone: true }),
  }
}

/** A message within its limits, with a time that can be, and its details as JSON. */
export function tidied(given: Message): { message: Message; detail: string | null } {
  let message = given
  let detail = writtenDetail(message)
  if (detail === undefined || !isBounded(message, detail)) {
    message = bounded(message)
    detail = detailOf(message)
  }
  const createdAt = knownTime(message.createdAt)
  if (createdAt !== message.createdAt) message = { ...message, createdAt }
  return { message, detail }
}

/** Undefined where it is nested too deeply. */
function writtenDetail(message: Message): string | null | undefined {
  try {
    return detailOf(message)
  } catch {
    return undefined
  }
}

export function usageRow({ usage = {}, latencyMs, thinkingMs }: Message): UsageRow {
  const { input, output, cached, cacheWrite, reasoning, cost } = usage
  return [input, output, cached, cacheWrite, reasoning, cost, latencyMs, thinkingMs].map(plausible)
}

/** No message takes more tokens, or milliseconds; and the sum of a million such can still be read. */
const MOST_USED = 1e9

function plausible(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= MOST_USED ? value : null
}

export function toolRows({ toolCalls, toolResults }: Pick<Message, 'toolCalls' | 'toolResults'>): ToolRow[] {
  if (!toolCalls && !toolResults) return NO_TOOLS
  const rows: ToolRow[] = []
  for (const { id, server, tool } of toolCalls ?? [])
    rows.push({ hash: hashOfId(id), tool: server ? `${server}/${tool}` : tool })
  for (const { callId, error, exitCode } of toolResults ?? [])
    if (error !== undefined || exitCode) rows.push({ hash: hashOfId(callId) })
  return rows
}

const NO_TOOLS: ToolRow[] = []

/** Of a call's id, 48 bits. Calls and results of one chat are matched by it. */
function hashOfId(id: string): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low + code, 0x85ebca6b) ^ (low >>> 13)
  }
  return (high >>> 8) * 2 ** 24 + (low >>> 8)
}

/** The messages of a part of a parcel. */
export function messagesIn(
  parcel: Parcel,
  first: number,
  end: number,
): { chatId: string; message: PreparedMessage }[] {
  const ids = idsOf(parcel)
  return Array.from({ length: end - first }, (_, n) => {
    const message = new ParcelMessage(parcel, first + n, ids[first + n]!)
    return { chatId: parcel.names.chats[message.fact(FACT.chat)]!, message }
  })
}

const known = new WeakMap<Parcel, string[]>()

function idsOf(parcel: Parcel): string[] {
  const ids = known.get(parcel) ?? parcel.ids.split('\0')
  known.set(parcel, ids)
  return ids
}

class ParcelMessage implements PreparedMessage {
  readonly #parcel: Parcel
  readonly #row: number
  readonly ordinal: number
  readonly id: string

  constructor(parcel: Parcel, ordinal: number, id: string) {
    this.#parcel = parcel
    this.#row = ordinal * FACTS
    this.ordinal = ordinal
    this.id = id
  }

  /** By its place in the row: names would be looked up, a dozen for each message. */
  fact(place: number): number {
    return this.#parcel.facts[this.#row + place]!
  }

  get order(): number {
    return this.fact(FACT.order)
  }

  get role(): Role {
    return ROLES[this.fact(FACT.role)]!
  }

  get kind(): MessageKind {
    return KINDS[this.fact(FACT.kind)]!
  }

  get createdAt(): number | undefined {
    const at = this.fact(FACT.createdAt)
    return Number.isNaN(at) ? undefined : at
  }

  get undone(): boolean {
    return this.fact(FACT.undone) === 1
  }

  get model(): string | undefined {
    return this.#parcel.names.models[this.fact(FACT.model)]
  }

  get hash(): number {
    const start = this.ordinal === 0 ? 0 : this.#parcel.facts[this.#row - FACTS + FACT.bodyEnd]!
    return hashOfBytes(this.#parcel.bodies.subarray(start, this.fact(FACT.bodyEnd)))
  }

  get text(): string {
    return Buffer.from(this.textBytes.buffer, this.textBytes.byteOffset, this.textBytes.length).toString()
  }

  get textBytes(): Uint8Array {
    return this.#parcel.bodies.subarray(this.fact(FACT.textStart), this.fact(FACT.textEnd))
  }

  get detailBytes(): Uint8Array {
    const start = this.fact(FACT.textEnd) + 1
    const end = this.fact(FACT.detailEnd)
    return start === end ? NOTHING : this.#parcel.bodies.subarray(start, end)
  }

  get usage(): UsageRow {
    const { facts } = this.#parcel
    const row: UsageRow = []
    for (let at = this.#row + FACT.input; at <= this.#row + FACT.thinkingMs; at++)
      row.push(Number.isNaN(facts[at]!) ? null : facts[at]!)
    return row
  }

  get tools(): ToolRow[] {
    const { facts, tools, names } = this.#parcel
    const end = this.fact(FACT.toolsEnd)
    let at = this.ordinal === 0 ? 0 : facts[this.#row - FACTS + FACT.toolsEnd]!
    if (at === end) return NO_TOOLS
    const rows: ToolRow[] = []
    for (; at < end; at++) {
      const tool = names.tools[tools[at * 2 + 1]!]
      rows.push({ hash: tools[at * 2]!, ...(tool !== undefined && { tool }) })
    }
    return rows
  }
}
