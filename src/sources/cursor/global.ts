import type { DatabaseSync } from 'node:sqlite'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, object, parsed, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { answerIn, type Composer, toComposer, toMessage } from './composer.ts'
import { type Mark, MOST_WAITING, marksOf, type State, standing, stateOf } from './marks.ts'
import { valueReader } from './values.ts'

const ROWS_BETWEEN_CHECKPOINTS = 1000
/** Told with every change of a chat: their rows may be older than the chat's that first names them. */
const LAST_BUBBLES = 8

/** The database of all windows: `composerData:<chat>` and `bubbleId:<chat>:<bubble>`. It may be many GB. */
export function* readGlobalDatabase(file: string, from: Checkpoint | undefined): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    if (columnsOf(db, 'cursorDiskKV').includes('value')) yield* readChats(db, from)
  } catch (error) {
    yield {
      problem: { reason: `cannot read the database: ${error instanceof Error ? error.message : error}` },
    }
  } finally {
    db?.close()
  }
}

function* readChats(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  const reader = composerReader(db)
  const before = stateOf(from)
  const goOnFrom = before && standing(db, before.marks)
  if (from && goOnFrom === undefined) yield { restart: true }
  const known = goOnFrom === undefined ? undefined : before
  // Taken first: what is written from here on is read next time.
  const now: State = { marks: marksOf(db), changedAt: reader.changedAt(), waiting: [] }

  if (!known || known.after !== undefined) {
    const started: State = known ?? now
    yield* readAll(reader, started, known?.after ?? 'composerData:')
    // An interrupted first reading began earlier, so what changed meanwhile is still to come.
    yield { checkpoint: toCheckpoint({ ...started, after: undefined }) }
    if (!known) return
  }
  yield* readChanges(db, reader, known, now, goOnFrom ?? 0)
  yield { checkpoint: toCheckpoint({ ...now, waiting: reader.stillWaiting() }) }
}

/** Chat by chat, along the key's index: rows of other kinds, most of such a file, are never touched. */
function* readAll(reader: Reader, started: State, after: string): Generator<Found> {
  let rows = 0
  for (const key of reader.chatKeys(after)) {
    for (const found of reader.read(key.slice('composerData:'.length))) {
      rows++
      yield found
    }
    if (rows >= ROWS_BETWEEN_CHECKPOINTS) {
      rows = 0
      yield { checkpoint: toCheckpoint({ ...started, after: key }) }
    }
  }
}

function* readChanges(
  db: DatabaseSync,
  reader: Reader,
  known: State,
  now: State,
  place: number,
): Generator<Found> {
  for (const key of known.waiting) reader.waiting.add(key)
  const changed = new Map<string, Set<string>>()
  const touched = new Set<string>()
  const tell = function* (): Generator<Found> {
    for (const [chat, bubbles] of changed) yield* reader.read(chat, bubbles)
    changed.clear()
  }
  const rows = db.prepare(
    'SELECT rowid AS place, key, octet_length(value) AS bytes FROM cursorDiskKV WHERE rowid > ? ORDER BY rowid',
  )
  let held = 0
  for (const row of rows.iterate(place)) {
    const key = String(row.key)
    const [kind, chat, bubble] = key.split(':')
    if (!chat || (kind !== 'composerData' && (kind !== 'bubbleId' || !bubble))) continue
    touched.add(chat)
    if (!changed.has(chat)) changed.set(chat, new Set())
    if (kind === 'bubbleId') changed.get(chat)!.add(bubble!)
    if (++held < ROWS_BETWEEN_CHECKPOINTS) continue
    held = 0
    yield* tell()
    const here: Mark = [Number(row.place), key, Number(row.bytes)]
    const marks = [here, ...now.marks.filter((mark) => mark[0] < here[0])]
    yield { checkpoint: toCheckpoint({ ...known, marks, waiting: reader.stillWaiting() }) }
  }
  yield* tell()
  // Should a version change rows in place, the headers still tell which chats moved on.
  for (const chat of reader.changedSince(known.changedAt)) if (!touched.has(chat)) yield* reader.read(chat)
}

function toCheckpoint(state: State): Checkpoint {
  return { offset: state.marks[0]?.[0] ?? 0, state }
}

type Reader = ReturnType<typeof composerReader>

function composerReader(db: DatabaseSync) {
  const value = valueReader(db, 'cursorDiskKV')
  const waiting = new Set<string>()
  const heads = headReader(db)

  function* tell(composer: Composer, id: string, bubble: Json | null | undefined): Generator<Found> {
    if (bubble === null) yield { problem: { reason: `bubble ${id} of ${composer.chat.id} is not readable` } }
    const message = bubble ? toMessage(id, bubble, composer) : undefined
    if (!message) return
    yield { chatId: composer.chat.id, message }
    const answer = answerIn(message, bubble!, composer)
    if (answer) yield { chatId: composer.chat.id, message: answer }
  }

  return {
    waiting,
    stillWaiting: () => [...waiting].slice(-MOST_WAITING),
    changedAt: heads.changedAt,
    changedSince: heads.changedSince,

    *chatKeys(after: string): Generator<string> {
      const keys = db.prepare(
        "SELECT key FROM cursorDiskKV WHERE key > ? AND key < 'composerData;' ORDER BY key",
      )
      for (const row of keys.iterate(after)) yield String(row.key)
    },

    /** One chat: all of it, or of its rows those that changed. */
    *read(chat: string, changed?: Set<string>): Generator<Found> {
      const data = value(`composerData:${chat}`)
      if (data === null) yield { problem: { reason: `chat ${chat} is not readable` } }
      if (!data) {
        for (const bubble of changed ?? []) waiting.add(`${chat}:${bubble}`)
        return
      }
      const composer = toComposer(chat, data, heads.get(chat))
      // A draft that was never sent.
      if (composer.order.size === 0) {
        for (const bubble of changed ?? []) waiting.add(`${chat}:${bubble}`)
        return
      }
      yield { chat: composer.chat }
      const inline = new Map(composer.inline.map((bubble) => [bubble.bubbleId, bubble]))
      for (const [id, place] of composer.order) {
        const key = `${chat}:${id}`
        const isNew =
          !changed || changed.has(id) || waiting.has(key) || place > composer.order.size - LAST_BUBBLES
        if (inline.has(id)) yield* tell(composer, id, inline.get(id))
        else if (isNew) yield* tell(composer, id, value(`bubbleId:${key}`))
        waiting.delete(key)
      }
      for (const id of changed ?? []) if (!composer.order.has(id)) waiting.add(`${chat}:${id}`)
    },
  }
}

/** Since 2026 a table of its own lists the chats, with their time of change. */
function headReader(db: DatabaseSync) {
  const columns = columnsOf(db, 'composerHeaders')
  const hasTable = ['composerId', 'lastUpdatedAt', 'value'].every((name) => columns.includes(name))
  const one = hasTable
    ? db.prepare('SELECT CAST(value AS TEXT) AS value FROM composerHeaders WHERE composerId = ?')
    : undefined
  return {
    get: (chat: string): Json | undefined => object(parsed(one?.get(chat)?.value)),
    changedAt: (): number =>
      hasTable
        ? Number(
            db.prepare('SELECT CAST(max(lastUpdatedAt) AS REAL) AS latest FROM composerHeaders').get()
              ?.latest ?? 0,
          )
        : 0,
    *changedSince(time: number): Generator<string> {
      if (!hasTable) return
      const rows = db.prepare(
        'SELECT CAST(composerId AS TEXT) AS id FROM composerHeaders WHERE lastUpdatedAt > ? ORDER BY lastUpdatedAt',
      )
      for (const row of rows.iterate(time)) {
        const id = words(row.id)
        if (id) yield id
      }
    },
  }
}
