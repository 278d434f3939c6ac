import type { SQLInputValue } from 'node:sqlite'
import type { Message } from '../../model/chat.ts'
import { hashOf } from '../body.ts'
import { type Bodies, bytesAt, detailsOf, type Slots, textsOf, unpack } from './blocks.ts'
import type { Connection } from './connection.ts'
import { idFrom } from './message-id.ts'
import { messageFrom } from './message-row.ts'
import { ROWS, SEALED, type SealedTable } from './seal-tables.ts'
import { rowsWithSums, sumsOf } from './seals.ts'

/** What a chat lost, by its key in the repaired archive. */
export interface Loss {
  source: string
  id: string
  /** Messages that are not there any more, as far as their ids are known. */
  ids: Set<string>
  /** Messages of which only the number is known. */
  unnamed: number
  /** Messages whose text is kept, without what was thought and what tools were asked and answered. */
  details: Set<string>
  /** Its title, folder and the like are lost; what can be told from its messages is. */
  header: boolean
}

/** A chat whose name is lost is called so, with its key. */
export const RECOVERED = 'recovered-'

export type Losses = Map<number, Loss>

export interface Sound {
  losses: Losses
  /** The list of forgotten chats is as it was written. */
  isForgottenSure: boolean
}

/**
 * Takes out of salvaged rows what is not as it was written, so that what stays is right, and says what was lost.
 * In a transaction.
 */
export function keepSound(connection: Connection): Sound {
  const losses: Losses = new Map()
  const isForgottenSure = FORGOTTEN.every((sealed) => isSealed(connection, sealed))
  dropDoubtful(connection)
  dropUnreadable(connection, losses)
  nameChats(connection, losses)
  noteMissing(connection, losses)
  straighten(connection)
  return { losses, isForgottenSure }
}

const FORGOTTEN = SEALED.filter(({ table }) => table === 'forgotten' || table === 'forgotten_mark')

function isSealed(connection: Connection, sealed: SealedTable): boolean {
  const { prepare } = connection
  const known = ['seal', 'unsealed'].some(
    (table) => prepare(`SELECT 1 FROM ${table} WHERE part = ? AND range = 0`).get(sealed.part) !== undefined,
  )
  return known && brokenRanges(connection, sealed).length === 0
}

/** Rows that fit neither the seal of their range nor a sum of their own. */
function dropDoubtful(connection: Connection): void {
  const { prepare } = connection
  for (const sealed of SEALED) {
    if (!sealed.rows) continue
    for (const range of brokenRanges(connection, sealed)) {
      const sums = ownSums(connection, sealed, range)
      for (const { row, sum } of rowsWithSums(connection, sealed, range)) {
        if (sums?.has(sum) || isRightAnyway(connection, sealed, row)) continue
        const keys = prepare(`SELECT name FROM pragma_table_info('${sealed.table}') WHERE pk > 0`).all()
        const where = keys.map(({ name }) => `"${name}" = ?`).join(' AND ')
        prepare(`DELETE FROM ${sealed.table} WHERE ${where}`).run(
          ...keys.map(({ name }) => row[String(name)] as SQLInputValue),
        )
      }
    }
  }
}

/** A range without a seal is not in doubt: the seal is what was damaged, or it was still to be made. */
function brokenRanges(connection: Connection, sealed: SealedTable): number[] {
  const { prepare } = connection
  return prepare(
    `SELECT range, sum FROM seal WHERE part = ?
     AND NOT EXISTS (SELECT 1 FROM unsealed WHERE unsealed.part = seal.part AND unsealed.range = seal.range)`,
  )
    .all(sealed.part)
    .filter(({ range, sum }) => sumsOf(connection, sealed, Number(range))?.whole !== sum)
    .map(({ range }) => Number(range))
}

function ownSums({ prepare }: Connection, { part }: SealedTable, range: number): Set<number> | undefined {
  const bytes = prepare('SELECT sum FROM seal WHERE part = ? AND range = ?').get(part + ROWS, range)?.sum
  if (!(bytes instanceof Uint8Array)) return undefined
  const sums = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % 4))
  return new Set(Array.from({ length: sums.length / 4 }, (_, i) => sums.readUInt32LE(i * 4)))
}

/** Other evidence, for rows that were sealed without sums of their own. */
function isRightAnyway(
  connection: Connection,
  { table }: SealedTable,
  row: Record<string, unknown>,
): boolean {
  switch (table) {
    case 'chat_message':
      return isAsTold(connection, row)
    case 'block':
      return slotsOf(() => textsOf(connection, Number(row.key)))?.count === row.messages
    case 'block_detail':
      return slotsOf(() => row.details as Uint8Array) !== undefined
    // Forgotten too much does no harm; forgotten too little does.
    case 'forgotten':
      return true
    case 'setting':
      return row.name === 'forgetSalt'
    default:
      return false
  }
}

/** A message's hash covers all that was told of it, but not where it belongs: its block says that. */
function isAsTold(connection: Connection, row: Record<string, unknown>): boolean {
  try {
    const { prepare } = connection
    if (prepare('SELECT chat FROM block WHERE key = ?').get(row.block as number)?.chat !== row.chat)
      return false
    const [text, detail] = (['texts', 'details'] as const).map((part) => slotText(connection, row, part))
    // Without the checks of a reader: the range of this row does not fit its seal.
    const bodies = { text: () => text, detail: () => null } as unknown as Bodies
    const told: Message = messageFrom(row, bodies)
    return [true, undefined].some((undone) => hashOf({ ...told, undone }, detail || null) === row.hash)
  } catch {
    return false
  }
}

function slotText(connection: Connection, row: Record<string, unknown>, part: 'texts' | 'details'): string {
  const key = Number(row.block)
  const slots = slotsOf(() => (part === 'texts' ? textsOf(connection, key) : detailsOf(connection, key)))
  return slots ? bytesAt(slots, Number(row.slot)).toString() : ''
}

function slotsOf(read: () => Uint8Array | undefined): Slots | undefined {
  try {
    const data = read()
    return data && unpack(data)
  } catch {
    return undefined
  }
}

/** Messages whose words cannot be read go; where only the details cannot, the words stay. */
function dropUnreadable(connection: Connection, losses: Losses): void {
  const { prepare } = connection
  const drop = prepare('DELETE FROM chat_message WHERE key = ?')
  const inBlock = prepare('SELECT key, chat, id, slot, text_bytes FROM chat_message WHERE block = ?')
  for (const { key } of prepare('SELECT key FROM block ORDER BY key').all()) {
    const block = Number(key)
    const texts = slotsOf(() => textsOf(connection, block))
    const details = detailsOf(connection, block)
    const areDetailsLost = !details || !slotsOf(() => details)
    const rows = inBlock.all(block)
    for (const row of rows) {
      const slot = Number(row.slot)
      if (!texts || slot >= texts.count || bytesAt(texts, slot).length !== row.text_bytes) {
        drop.run(row.key!)
        lossOf(connection, losses, Number(row.chat)).ids.add(idFrom(row.id))
      }
    }
    if (areDetailsLost) {
      prepare('DELETE FROM block_detail WHERE key = ?').run(block)
      for (const row of prepare(
        'SELECT key, chat, id FROM chat_message WHERE block = ? AND detail_bytes > 0',
      ).all(block)) {
        // Another hash than the file's: so the details are taken over when it is read again.
        prepare('UPDATE chat_message SET hash = 1, detail_bytes = 0 WHERE key = ?').run(row.key!)
        lossOf(connection, losses, Number(row.chat)).details.add(idFrom(row.id))
      }
    }
    if (!texts) prepare('DELETE FROM block WHERE key = ?').run(block)
  }
  for (const row of prepare(
    `SELECT key, chat, id FROM chat_message WHERE block IS NOT NULL AND block NOT IN (SELECT key FROM block)`,
  ).all()) {
    drop.run(row.key!)
    lossOf(connection, losses, Number(row.chat)).ids.add(idFrom(row.id))
  }
}

/** Messages keep a chat: under the id that SQLite's index still tells, else under one that says what happened. */
function nameChats(connection: Connection, losses: Losses): void {
  const { prepare } = connection
  const sources = new Set(
    prepare('SELECT DISTINCT source FROM chat UNION SELECT DISTINCT source FROM unit')
      .all()
      .map((row) => String(row.source)),
  )
  // What an index that is damaged itself says is no name.
  for (const { key, source, id } of prepare('SELECT key, source, id FROM repair_chat').all())
    if (!sources.has(String(source)) || /[\u0000-\u001f\ufffd]/.test(String(id)))
      prepare('DELETE FROM repair_chat WHERE key = ?').run(key!)
  const nameless = prepare(
    'SELECT DISTINCT chat, unit FROM chat_message WHERE chat NOT IN (SELECT key FROM chat)',
  ).all()
  for (const { chat, unit } of nameless) {
    const key = Number(chat)
    const named = prepare('SELECT source, id FROM repair_chat WHERE key = ?').get(key)
    const source = named?.source ?? prepare('SELECT source FROM unit WHERE key = ?').get(unit ?? null)?.source
    prepare('INSERT OR IGNORE INTO chat (key, source, id, packed) VALUES (?, ?, ?, 1)').run(
      key,
      String(source ?? 'recovered'),
      String(named?.id ?? `${RECOVERED}${key}`),
    )
    const chosen = prepare('SELECT source, id FROM chat WHERE key = ?').get(key)
    const loss = lossOf(connection, losses, key)
    Object.assign(loss, { source: chosen?.source, id: chosen?.id, header: true })
  }
}

/** What SQLite's index of ids and the chats' own counts say was there. */
function noteMissing(connection: Connection, losses: Losses): void {
  const { prepare } = connection
  const named = prepare(
    `SELECT chat, id FROM repair_message WHERE key NOT IN (SELECT key FROM chat_message)
     AND (chat IN (SELECT key FROM chat) OR chat IN (SELECT key FROM repair_chat))`,
  )
  for (const { chat, id } of named.all()) lossOf(connection, losses, Number(chat)).ids.add(idFrom(id))
  const counts = prepare(
    `SELECT key, messages, (SELECT count(*) FROM chat_message WHERE chat = chat.key) AS found FROM chat
     WHERE messages > 0`,
  )
  for (const { key, messages, found } of counts.all()) {
    const missing = Number(messages) - Number(found) - (losses.get(Number(key))?.ids.size ?? 0)
    if (missing > 0) lossOf(connection, losses, Number(key)).unnamed = missing
  }
  // Chats of which nothing is left but their name.
  const bare = prepare('SELECT key FROM repair_chat WHERE key NOT IN (SELECT key FROM chat)').all()
  for (const { key } of bare) lossOf(connection, losses, Number(key)).header = true
}

/** What points at rows that are gone. */
function straighten({ db }: Connection): void {
  db.exec(`
    UPDATE chat_message SET copy_of = NULL WHERE copy_of IS NOT NULL AND copy_of NOT IN (SELECT key FROM chat_message);
    DELETE FROM block WHERE key NOT IN (SELECT block FROM chat_message WHERE block IS NOT NULL);
    DELETE FROM block_detail WHERE key NOT IN (SELECT key FROM block);
    UPDATE chat SET open_block = NULL WHERE open_block NOT IN (SELECT key FROM block);
    DELETE FROM unit_chat WHERE chat NOT IN (SELECT key FROM chat) OR unit NOT IN (SELECT key FROM unit);
    INSERT OR IGNORE INTO unit_chat (chat, unit, tells, rank)
      SELECT chat, unit, 1, max(rank) FROM chat_message WHERE unit IN (SELECT key FROM unit) GROUP BY chat, unit;
    DELETE FROM problem WHERE unit NOT IN (SELECT key FROM unit);
  `)
}

export function lossOf({ prepare }: Connection, losses: Losses, chat: number): Loss {
  const known = losses.get(chat)
  if (known) return known
  const row =
    prepare('SELECT source, id FROM chat WHERE key = ?').get(chat) ??
    prepare('SELECT source, id FROM repair_chat WHERE key = ?').get(chat)
  const loss: Loss = {
    source: String(row?.source ?? 'recovered'),
    id: String(row?.id ?? `${RECOVERED}${chat}`),
    ids: new Set(),
    unnamed: 0,
    details: new Set(),
    header: false,
  }
  losses.set(chat, loss)
  return loss
}
