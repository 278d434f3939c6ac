import type { Message } from '../../model/chat.ts'
import { label } from '../../model/limits.ts'
import { afterVanishing, countsIn, isReplacedBy } from '../../model/merge.ts'
import { type Lease, SEARCHABLE, type UnitReading, type WriteResult } from '../archive.ts'
import type { Parcel, ParcelReading } from '../parcel.ts'
import { BODY_COLUMNS, type BodyPlace, isUnpacked } from './blocks.ts'
import { BodyWriter } from './body-writer.ts'
import { ChangeLog } from './change-log.ts'
import { addRow, type Connection } from './connection.ts'
import { eraseChat, UNSAID } from './erase.ts'
import { Forgotten, type Telling as ForgottenTelling, type Screened } from './forgotten.ts'
import { Forks } from './forks.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { eraseWords, mergeSegments } from './index-merge.ts'
import { assertLease } from './lease.ts'
import { idFrom } from './message-id.ts'
import { wordsOf } from './message-row.ts'
import {
  isFirstHand,
  noteTime,
  type OpenChat,
  type OpenTeller,
  openChat,
  saveChat,
  setHeader,
  tellerOf,
} from './open-chat.ts'
import { ParcelWords } from './parcel-words.ts'
import { messagesIn, type PreparedMessage, preparedFrom } from './prepared-message.ts'
import { Redacting } from './redacting.ts'
import { eraseShadowed, giveWay } from './remote-erase.ts'
import { renumber } from './renumber.ts'
import { revivedUnit } from './revived.ts'
import { noteUnseen } from './seen-secrets.ts'
import type { ToolKeys } from './tools.ts'
import { packCheckpoint, writeCheckpoint } from './unit-row.ts'
import { eraseVectors } from './vectors.ts'
import { noteWipe } from './wipe.ts'
import { type By, writeMessage } from './write-message.ts'

/**
 * Writes readings in one transaction. Cost: proportional to the messages told. A message that is
 * told again unchanged costs one look-up; an appended one an insert into the table and the index, and
 * the packing of one block.
 */
export function write(
  connection: Connection,
  readings: UnitReading[],
  lease: Lease,
  atRest = false,
): WriteResult {
  return connection.transaction(() => {
    assertLease(connection, lease)
    const writer = new Writer(connection, { atRest })
    for (const reading of readings) writer.reading(reading, reading.messages)
    return writer.finish()
  })
}

/** The same for what another thread made ready; of the parcel's readings those are written that it names. */
export function writeParcel(
  connection: Connection,
  parcel: Parcel,
  lease: Lease,
  atRest = false,
): WriteResult {
  return connection.transaction(() => {
    assertLease(connection, lease)
    const writer = new Writer(connection, { parcel, atRest })
    for (const reading of parcel.readings)
      writer.reading(reading, messagesIn(parcel, reading.first, reading.end))
    return writer.finish()
  })
}

type Reading = UnitReading | ParcelReading
type Telling = { chatId: string; message: Message | PreparedMessage }

/** How many messages may be merged into larger segments for each one written: bounds what a batch costs. */
const MERGED_PER_MESSAGE = 12

/** Of a text, packed or not: only those of the same length are compared. */
const BYTES = 'coalesce(text_bytes, octet_length(text))'

const NO_WORDS = { said: '', thought: '', tools: '' }

/** The state of one transaction: what is known of the chats it touches. */
export class Writer {
  readonly connection: Connection
  /** Undefined are those that the person had forgotten. */
  readonly chats = new Map<string, OpenChat | undefined>()
  readonly words: WordGathering
  /** Words that were gathered before, by another thread. */
  readonly ready: ParcelWords | undefined
  readonly bodies: BodyWriter
  readonly forks: Forks
  readonly forgotten: Forgotten
  readonly redacting: Redacting
  readonly log: ChangeLog
  readonly toolKeys: ToolKeys = new Map()
  /** Chats whose titles were taken out of the index. */
  readonly retitled = new Set<number>()
  /** By chat, the first message that was written. */
  readonly written = new Map<number, number>()
  added = 0
  changed = 0

  constructor(
    connection: Connection,
    { parcel, atRest = false }: { parcel?: Parcel; atRest?: boolean } = {},
  ) {
    this.connection = connection
    this.ready = parcel && new ParcelWords(parcel)
    this.redacting = new Redacting(connection, atRest)
    this.words = new WordGathering(lexiconOf(connection))
    this.bodies = new BodyWriter(connection)
    this.forks = new Forks(this)
    this.forgotten = new Forgotten(connection)
    this.log = new ChangeLog(connection)
  }

  reading(reading: Reading, messages: Telling[]): void {
    const { prepare } = this.connection
    const { source, chats } = reading
    const revived = revivedUnit(this.connection, source, reading.path)
    const news = revived ? messages.filter(({ message }) => message.order >= revived.bytes) : messages
    const telling = { source, chats, messages: news }
    const screened = this.forgotten.screen(telling, (id) => this.isOpen(source, id))
    const told = this.redacting.clean(screened, (id) => this.chat(source, id))
    const unit = this.unit(told.isRedacted ? this.redacting.noted(reading, told) : reading)
    const isSilent = this.silence(reading, telling, told, unit)
    for (const chat of told.chats) {
      const open = this.chat(reading.source, chat.id)
      if (open) setHeader(open, chat, tellerOf(open, unit, reading))
    }
    const tellers = new Map<OpenChat, OpenTeller>()
    let open: OpenChat | undefined
    let openId: string | undefined
    let by: By | undefined
    for (const { chatId, message } of told.messages) {
      // Nearly always that of the message before.
      if (chatId !== openId) {
        open = this.chat(reading.source, chatId)
        openId = chatId
        const teller = open && (tellers.get(open) ?? tellerOf(open, unit, reading))
        if (open && teller) tellers.set(open, teller)
        by = teller && { reading, unit, teller, toolKeys: this.toolKeys }
      }
      if (!open || !by) continue
      const { teller } = by
      noteTime(open, teller, message.createdAt)
      if (teller.standsIn && !countsIn(teller, isFirstHand(open))) continue
      if (!teller.tells) this.begins(open, teller)
      this.message(open, 'hash' in message ? message : preparedFrom(message), by)
    }
    // Those of places in it stay while it is read on; that it could not be read or archived is over.
    const over = reading.begins ? '' : `AND byte_offset IS NULL AND reason LIKE 'could not be %'`
    prepare(`DELETE FROM problem WHERE unit = ? ${over}`).run(unit)
    for (const { offset, reason } of reading.problems) {
      prepare('INSERT INTO problem (unit, byte_offset, reason, seen_at) VALUES (?, ?, ?, ?)').run(
        unit,
        offset ?? null,
        isSilent ? UNSAID : this.redacting.reason(label(reason), told),
        Date.now(),
      )
    }
    if (reading.completes) this.vanished(unit, reading)
  }

  /** Whether a file tells of forgotten chats: then nothing is noted of it that may hold their words. */
  silence(
    reading: Reading,
    telling: ForgottenTelling<Message | PreparedMessage>,
    told: Screened<Message | PreparedMessage>,
    unit: number,
  ): boolean {
    const { prepare } = this.connection
    this.forgotten.learn(telling, told, unit)
    for (const { id, root, isNew, learns } of told.hidden) {
      const known =
        isNew && prepare('SELECT key FROM chat WHERE id = ? AND source = ?').get(id, reading.source)
      if (known) this.eraseFound(Number(known.key), root, !learns)
    }
    const isSilent = prepare('SELECT 1 FROM forgotten_unit WHERE unit = ? LIMIT 1').get(unit) !== undefined
    // Of a database only numbers, ids and hashes are noted.
    if (isSilent && reading.growth !== 'database') {
      const fingerprint = JSON.stringify({ ...reading.fingerprint, head: '', tail: '' })
      prepare('UPDATE unit SET checkpoint = NULL, fingerprint = ? WHERE key = ?').run(fingerprint, unit)
    }
    return isSilent
  }

  /** What a lesser file had told before of a chat that turns out to be a copy of a forgotten one. */
  eraseFound(key: number, copyOf: string, isShared: boolean): void {
    const gone = new Set(eraseChat(this.connection, { key, copyOf, isShared }))
    eraseWords(this.connection, gone, new Set([key]))
    eraseVectors(this.connection, gone)
    noteWipe(this.connection)
  }

  finish(): WriteResult {
    const keys = new Set<number>()
    eraseShadowed(this)
    for (const open of this.chats.values()) if (open?.forkDoubtful) this.forks.settle(open)
    for (const open of this.chats.values()) {
      if (!open) continue
      keys.add(open.key)
      const moved = open.disordered ? renumber(this.connection, open) : []
      if (!open.isRemote) {
        for (const message of moved) this.log.message(open.key, message)
        this.log.chat(open.key)
      }
      const title = saveChat(this.connection, open, (place) => this.textOf(place))
      const shown =
        title ?? (this.retitled.has(open.key) ? (open.name ?? open.title ?? open.firstRequest) : undefined)
      if (shown) this.words.title(open.key, shown)
    }
    for (const [chat, since] of this.written) noteUnseen(this.connection, chat, since)
    this.bodies.finish()
    this.words.write(this.connection, this.ready)
    mergeSegments(this.connection, (this.added + this.changed) * MERGED_PER_MESSAGE)
    return { chats: keys, added: this.added, changed: this.changed }
  }

  unit(reading: Reading): number {
    const { source, path, fingerprint, generation, standsIn = false } = reading
    const { prepare } = this.connection
    const values = [
      fingerprint.stamp,
      JSON.stringify(fingerprint),
      'first' in reading
        ? reading.checkpoint && packCheckpoint(reading.checkpoint)
        : writeCheckpoint(reading.checkpoint),
      generation,
      Date.now(),
      Number(standsIn),
    ]
    const known = prepare('SELECT key, generation FROM unit WHERE path = ? AND source = ?').get(path, source)
    // A forgotten chat of it was let back since this reading began: it stays to be read from the start.
    if (known && Number(known.generation) > generation) return Number(known.key)
    if (known) {
      prepare(
        'UPDATE unit SET stamp = ?, fingerprint = ?, checkpoint = ?, generation = ?, read_at = ?, stands_in = ? WHERE key = ?',
      ).run(...values, known.key as number)
      return Number(known.key)
    }
    return addRow(
      this.connection,
      'INSERT OR IGNORE INTO unit (stamp, fingerprint, checkpoint, generation, read_at, stands_in, path, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...values,
      path,
      source,
    )
  }

  isOpen(source: string, id: string): boolean {
    return this.chats.get(`${source}\0${id}`) !== undefined
  }

  /** A chat as a file of this machine tells it. */
  chat(source: string, id: string): OpenChat | undefined {
    const open = this.opened(source, id)
    return open?.isRemote ? giveWay(this, open) : open
  }

  opened(source: string, givenId: string): OpenChat | undefined {
    const id = label(givenId)
    const name = `${source}\0${id}`
    if (!this.chats.has(name)) this.chats.set(name, openChat(this.connection, this.bodies, source, id))
    return this.chats.get(name)
  }

  chatAt(key: number): OpenChat | undefined {
    const owner = this.connection.prepare('SELECT source, id FROM chat WHERE key = ?').get(key)
    return owner && this.opened(String(owner.source), String(owner.id))
  }

  message(open: OpenChat, message: PreparedMessage, by: By): void {
    const first = open.messages === 0
    const written = writeMessage(this.connection, this.bodies, open, message, by)
    if (!written) return
    this[written.outcome]++
    if (!open.isRemote) this.log.message(open.key, written.key)
    const earliest = this.written.get(open.key)
    if (earliest === undefined || written.key < earliest) this.written.set(open.key, written.key)
    if (!written.wordsChanged) return
    const isCopy = written.outcome === 'added' && this.forks.isCopy(open, message, written.key, first)
    if (isCopy) return
    if (message.whole) this.index(written.key, open.key, message.whole)
    else {
      if (written.outcome === 'changed') this.ready?.drop(written.key)
      this.ready?.take(message.ordinal!, written.key, open.key)
    }
  }

  /** The words by which a message is found from now on. */
  index(key: number, chat: number, message: Message): void {
    this.ready?.drop(key)
    const { role, kind, createdAt } = message
    const words = SEARCHABLE.has(kind) ? wordsOf(message) : NO_WORDS
    this.words.message({ key, chat, role, kind, createdAt, ...words })
  }

  unindex(key: number, chat: number): void {
    this.ready?.drop(key)
    this.words.message({ key, chat, role: 'user', kind: 'notice', ...NO_WORDS })
  }

  textOf(place: BodyPlace): string {
    if (isUnpacked(place)) return place.text
    return this.bodies.text(place.chat, { block: place.block!, slot: place.slot! })
  }

  /** A file tells messages of a chat for the first time: what only stood in for them goes. */
  begins(open: OpenChat, teller: OpenTeller): void {
    teller.tells = true
    teller.changed = true
    for (const [unit, other] of open.tellers) {
      if (!other.tells || !isReplacedBy(teller, other)) continue
      other.tells = false
      other.changed = true
      const rows = this.connection
        .prepare(`SELECT ${BODY_COLUMNS} FROM chat_message WHERE chat = ? AND unit = ?`)
        .all(open.key, unit)
      for (const row of rows) this.drop(open, row as unknown as BodyPlace)
    }
  }

  drop(open: OpenChat, { key, block, slot }: BodyPlace): void {
    this.unindex(key, open.key)
    if (block !== null) this.bodies.empty(open.key, { block, slot: slot! })
    this.forks.leave(key)
    const { prepare } = this.connection
    const { id } = prepare('SELECT id FROM chat_message WHERE key = ?').get(key)!
    if (!open.isRemote) this.log.gone({ source: open.source, id: open.id, message: idFrom(id) })
    prepare('DELETE FROM chat_message WHERE key = ?').run(key)
    open.ids = undefined
    open.disordered = true
    this.changed++
  }

  /** Messages that a new reading of their file did not tell again. */
  vanished(unit: number, reading: Reading): void {
    const { prepare } = this.connection
    const chats = prepare('SELECT chat FROM unit_chat WHERE unit = ?').all(unit) as { chat: number }[]
    for (const { chat } of chats) {
      const gone = prepare(
        `SELECT role, created_at, ${BODY_COLUMNS} FROM chat_message
         WHERE chat = ? AND unit = ? AND generation < ? AND undone < 2 AND hash <> 0`,
      ).all(chat, unit, reading.generation) as unknown as GoneRow[]
      const upto = revivedUnit(this.connection, reading.source, reading.path)?.upto ?? 0
      if (gone.length === 0) continue
      const open = this.chatAt(chat)
      if (!open) continue
      const teller = tellerOf(open, unit, reading)
      const others = [...open.tellers.values()].filter((other) => other.tells)
      const renews = prepare('SELECT renews FROM unit WHERE key = ?').get(unit)?.renews === 1
      for (const row of gone) {
        if (row.key <= upto) continue
        const isToldAgain = renews && this.isToldAgain(row, unit, reading.generation)
        if (afterVanishing(teller, others, isToldAgain) === 'gone') this.drop(open, row)
        else {
          prepare('UPDATE chat_message SET undone = 2 WHERE key = ?').run(row.key)
          this.log.message(chat, row.key)
          this.changed++
        }
      }
      open.disordered = true
    }
    prepare('UPDATE unit SET renews = 0 WHERE key = ? AND renews').run(unit)
  }

  /**
   * Whether another message says the same at the same time, or both without one: a reader of a newer version may tell it under
   * another id.
   */
  isToldAgain(row: GoneRow, unit: number, generation: number): boolean {
    const others = this.connection
      .prepare(
        `SELECT ${BODY_COLUMNS} FROM chat_message WHERE chat = ? AND created_at IS ? AND role = ? AND key <> ?
         AND undone < 2 AND NOT (unit = ? AND generation < ?)
         AND ${BYTES} = (SELECT ${BYTES} FROM chat_message WHERE key = ?)`,
      )
      .all(row.chat, row.created_at, row.role, row.key, unit, generation, row.key) as unknown as BodyPlace[]
    if (others.length === 0) return false
    const text = this.textOf(row)
    if (row.created_at === null && text === '') return false
    return others.some((other) => this.textOf(other) === text)
  }
}

type GoneRow = BodyPlace & { role: string; created_at: number | null }
