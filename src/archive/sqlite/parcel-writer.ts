import type { Message } from '../../model/chat.ts'
import { label } from '../../model/limits.ts'
import { factsOf } from '../body.ts'
import { Lexicon } from '../lexicon.ts'
import { FACT, FACTS, type Parcel, type ParcelReading, ParcelRoom } from '../parcel.ts'
import { KINDS, ROLES, SEARCHABLE } from '../search-shapes.ts'
import type { UnitReading } from '../unit-shapes.ts'
import { FieldGathering } from './index-invert.ts'
import { wordsOf } from './message-row.ts'
import { tidied, toolRows, usageRow } from './prepared-message.ts'

/** Room for the bodies of a parcel, at first, and the most that is kept for the next. */
const ROOM = 1 << 20
const MOST_ROOM = 1 << 24

/** As LEXICON_WORDS, for a thread that reads all there is: its tables are twice as large, and of 300,000 messages two fifths fewer words are met anew. */
const MANY_WORDS = 285_000
/** More than most parcels have. What has not been written to yet takes no memory. */
const MANY_TERMS = 1 << 19

/** Makes readings ready to be written: all that can be done without the archive. */
export class ParcelWriter {
  readonly #lexicon = new Lexicon(MANY_WORDS)
  readonly #rooms: ParcelRoom[]
  #taken = 0
  #parts = emptyParts()

  /** So many parcels can be used at a time: one that is taken is void when as many more are. */
  constructor(rooms: number) {
    this.#rooms = Array.from({ length: rooms }, () => new ParcelRoom())
  }

  get messages(): number {
    return this.#parts.count
  }

  get readings(): number {
    return this.#parts.readings.length
  }

  add({ messages, checkpoint, ...reading }: UnitReading): void {
    const first = this.#parts.count
    for (const { chatId, message } of messages) this.#message(chatId, message)
    const told: ParcelReading = {
      ...reading,
      first,
      end: this.#parts.count,
      checkpoint: checkpoint ? JSON.stringify(checkpoint) : null,
      offset: checkpoint?.offset ?? 0,
    }
    this.#parts.readings.push(told)
  }

  /** What was added since the last time. */
  take(): Parcel {
    const { readings, count, ids, facts, bodies, length, chats, models, toolNames, tools, fields } =
      this.#parts
    const room = this.#rooms[this.#taken++ % this.#rooms.length]!
    room.clear()
    const parcel: Parcel = {
      readings,
      count,
      ids: ids.join('\0'),
      facts: room.copy(facts.subarray(0, count * FACTS)),
      bodies: room.copy(new Uint8Array(bodies.buffer, bodies.byteOffset, length)),
      names: { chats: chats.names, models: models.names, tools: toolNames.names },
      tools: room.copy(Float64Array.from(tools)),
      words: fields.map((field) => field.words(this.#lexicon, room)),
    }
    this.#lexicon.trim(MANY_WORDS)
    for (const field of fields) field.clear()
    this.#parts = emptyParts(this.#parts)
    return parcel
  }

  #message(chatId: string, given: Message): void {
    const parts = this.#parts
    const { message, detail } = tidied(given)
    const { bodyEnd, textStart, textEnd, detailEnd } = this.#body(message, detail)
    for (const { hash: call, tool } of toolRows(message))
      parts.tools.push(call, tool === undefined ? -1 : parts.toolNames.numberOf(tool))
    const words = SEARCHABLE.has(message.kind) ? wordsOf(message) : undefined
    const [said, thought, tools] = parts.fields as [FieldGathering, FieldGathering, FieldGathering]
    const n = parts.count++
    parts.ids.push(message.id)
    const row = n * FACTS
    if (row + FACTS > parts.facts.length) parts.facts = twice(parts.facts)
    const { facts } = parts
    facts[row + FACT.chat] = parts.chats.numberOf(label(chatId))
    facts[row + FACT.role] = ROLES.indexOf(message.role)
    facts[row + FACT.kind] = KINDS.indexOf(message.kind)
    facts[row + FACT.createdAt] = message.createdAt ?? Number.NaN
    facts[row + FACT.order] = message.order
    facts[row + FACT.undone] = Number(message.undone ?? false)
    facts[row + FACT.bodyEnd] = bodyEnd
    facts[row + FACT.model] = message.model === undefined ? -1 : parts.models.numberOf(message.model)
    const usage = usageRow(message)
    for (let i = 0; i < usage.length; i++) facts[row + FACT.input + i] = usage[i] ?? Number.NaN
    facts[row + FACT.textStart] = textStart
    facts[row + FACT.textEnd] = textEnd
    facts[row + FACT.detailEnd] = detailEnd
    facts[row + FACT.toolsEnd] = parts.tools.length / 2
    facts[row + FACT.said] = words ? said.add(this.#lexicon, n, words.said) : 0
    facts[row + FACT.thought] = words ? thought.add(this.#lexicon, n, words.thought) : 0
    facts[row + FACT.tools] = words ? tools.add(this.#lexicon, n, words.tools) : 0
  }

  /** Writes facts, text and details one after the other, as they are hashed: so each is encoded once. */
  #body(message: Message, detail: string | null) {
    const facts = factsOf(message)
    const parts = this.#parts
    const most = (facts.length + message.text.length + (detail?.length ?? 4)) * 3 + 2
    if (parts.length + most > parts.bodies.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(parts.bodies.length * 2, parts.length + most))
      parts.bodies.copy(larger, 0, 0, parts.length)
      parts.bodies = larger
    }
    const { bodies } = parts
    let at = parts.length
    at += bodies.write(facts, at)
    bodies[at++] = 0
    const textStart = at
    at += bodies.write(message.text, at)
    const textEnd = at
    bodies[at++] = 0
    const bodyEnd = at + bodies.write(detail ?? 'null', at)
    parts.length = bodyEnd
    return { bodyEnd, textStart, textEnd, detailEnd: detail === null ? at : bodyEnd }
  }
}

/** With the memory of the parts before, unless those were very large: what is handed over is a copy. */
function emptyParts(before?: {
  facts: Float64Array<ArrayBuffer>
  bodies: Buffer<ArrayBuffer>
  fields: FieldGathering[]
}) {
  const isReused = before !== undefined && before.bodies.length <= MOST_ROOM
  return {
    readings: [] as ParcelReading[],
    count: 0,
    ids: [] as string[],
    facts: before?.facts ?? new Float64Array(FACTS * 512),
    bodies: isReused ? before.bodies : Buffer.allocUnsafeSlow(ROOM),
    length: 0,
    chats: new Names(),
    models: new Names(),
    toolNames: new Names(),
    tools: [] as number[],
    fields: before?.fields ?? Array.from({ length: 3 }, () => new FieldGathering(MANY_TERMS)),
  }
}

function twice(array: Float64Array) {
  const larger = new Float64Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Names that come again and again, by number. */
class Names {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}
