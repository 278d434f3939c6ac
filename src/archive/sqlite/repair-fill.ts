import type { SQLInputValue } from 'node:sqlite'
import { Bodies, type Body, type BodyPlace } from './blocks.ts'
import { BodyWriter, encoded } from './body-writer.ts'
import type { Connection } from './connection.ts'
import { idFrom } from './message-id.ts'
import { type Loss, type Losses, lossOf, RECOVERED, type Sound } from './repair-rows.ts'
import { CHAT } from './seal-tables.ts'
import { assertSealed } from './seals.ts'

type Row = Record<string, SQLInputValue>

/** What a chat's row says that its messages do not. */
const HEADER = [
  'title',
  'workspace',
  'workspace_key',
  'repository',
  'branch',
  'parent_id',
  'fork_of',
  'subagent',
  'resume',
  'status',
  'format',
  'background',
  'fork_told',
  'born_at',
  'created_at',
  'updated_at',
  'models',
  'name',
  'pinned',
  'archived',
  'author',
  'machine',
  'space',
  'repository_key',
  'git_remote',
]

/**
 * Takes what is lost over from a backup, which is sound: whole chats, and messages of chats that lost some. What was
 * forgotten stays away. Says how many messages came, by chat. In a transaction.
 */
export function fillFrom(
  connection: Connection,
  backup: Connection,
  { losses, isForgottenSure }: Sound,
): Map<number, number> {
  const { prepare } = connection
  if (!isForgottenSure) keepForgotten(connection, backup)
  const hasSameKey = sameSecretKey(connection, backup)
  nameFrom(connection, backup, losses)
  const filled = new Map<number, number>()
  const bodies = new BodyWriter(connection)
  const units = unitsFrom(connection, backup)
  const copies: { key: number; of: number }[] = []
  const isForgotten = prepare('SELECT 1 FROM forgotten WHERE source = ? AND id = ?')
  for (const chat of backup.prepare('SELECT * FROM chat ORDER BY key').all() as Row[]) {
    if (isForgotten.get(chat.source!, chat.id!)) continue
    const known = prepare('SELECT key FROM chat WHERE id = ? AND source = ?').get(chat.id!, chat.source!)
    const found = known ? losses.get(Number(known.key)) : undefined
    if (known && !found) continue
    if (!isSound(() => assertSealed(backup, CHAT, Number(chat.key)))) continue
    const key = known ? Number(known.key) : bring(connection, chat, losses)
    const loss = found ?? lossOf(connection, losses, key)
    const isAll = !known || loss.header || loss.unnamed > 0
    if (loss.header) {
      prepare(`UPDATE chat SET ${HEADER.map((name) => `${name} = ?`).join(', ')} WHERE key = ?`).run(
        ...HEADER.map((name) => chat[name]!),
        key,
      )
      loss.header = false
    }
    const came = fillChat(connection, backup, {
      from: Number(chat.key),
      key,
      loss,
      isAll,
      bodies,
      units,
      copies,
    })
    if (came > 0) filled.set(key, came)
    tellersFrom(connection, backup, Number(chat.key), key, units)
    if (hasSameKey) secretsFrom(connection, backup, Number(chat.key), key)
    // What its files tell again is written without its secrets.
    if (backup.prepare('SELECT 1 FROM redacted_chat WHERE chat = ?').get(chat.key!))
      prepare('INSERT OR IGNORE INTO redacted_chat (chat) VALUES (?)').run(key)
  }
  for (const { key, of } of copies) markCopy(connection, backup, key, of)
  return filled
}

/** Hashes of secrets are made with a key, which is lost with the settings. Says whether the backup's are made with the same. */
export function sameSecretKey({ prepare }: Connection, backup: Pick<Connection, 'prepare'>): boolean {
  const find = `SELECT value FROM setting WHERE name = 'secretKey'`
  const theirs = backup.prepare(find).get()?.value as SQLInputValue | undefined
  if (theirs !== undefined)
    prepare(`INSERT OR IGNORE INTO setting (name, value) VALUES ('secretKey', ?)`).run(theirs)
  return theirs !== undefined && prepare(find).get()?.value === theirs
}

export function secretsFrom(
  { prepare }: Connection,
  backup: Pick<Connection, 'prepare'>,
  from: number,
  to: number,
): void {
  const keep = prepare('INSERT OR IGNORE INTO chat_secret (chat, length, mark) VALUES (?, ?, ?)')
  for (const row of backup.prepare('SELECT length, mark FROM chat_secret WHERE chat = ?').all(from))
    keep.run(to, row.length!, row.mark!)
}

/** A chat whose name is lost is the one that had the same messages under the same key. */
function nameFrom({ prepare }: Connection, backup: Connection, losses: Losses): void {
  for (const [key, loss] of losses) {
    if (loss.id !== `${RECOVERED}${key}`) continue
    const chat = backup.prepare('SELECT source, id FROM chat WHERE key = ?').get(key) as Row | undefined
    const isTaken = (row: Row) =>
      prepare('SELECT 1 FROM chat WHERE id = ? AND source = ?').get(row.id!, row.source!) !== undefined
    if (!chat || isTaken(chat)) continue
    const isSame = prepare('SELECT id, hash FROM chat_message WHERE chat = ? AND hash > 1')
      .all(key)
      .some((message) =>
        backup
          .prepare('SELECT 1 FROM chat_message WHERE chat = ? AND id = ? AND hash = ?')
          .get(key, message.id as SQLInputValue, message.hash as SQLInputValue),
      )
    if (!isSame) continue
    prepare('UPDATE chat SET source = ?, id = ? WHERE key = ?').run(chat.source!, chat.id!, key)
    Object.assign(loss, { source: chat.source, id: chat.id })
  }
}

interface Filling {
  /** The chat's key in the backup. */
  from: number
  key: number
  loss: Loss
  /** All that the backup has is missing, or may be. */
  isAll: boolean
  bodies: BodyWriter
  units: (unit: SQLInputValue) => number | null
  copies: { key: number; of: number }[]
}

function fillChat(
  connection: Connection,
  backup: Connection,
  { from, key, loss, isAll, bodies, units, copies }: Filling,
): number {
  const { prepare } = connection
  const readable = new Bodies(backup)
  const open = { key, openBlock: null }
  let came = 0
  for (const row of backup
    .prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY place')
    .all(from) as Row[]) {
    const id = idFrom(row.id)
    const known = prepare('SELECT key, block, slot FROM chat_message WHERE chat = ? AND id = ?').get(
      key,
      row.id!,
    )
    const isMissing = !known && (isAll || loss.ids.has(id))
    if (!isMissing && !(known && loss.details.has(id))) continue
    const body = bodyOf(readable, row as unknown as BodyPlace)
    if (!body) continue
    if (known) {
      const at = { block: Number(known.block), slot: Number(known.slot) }
      const put = bodies.replace(open, at, encoded(body))
      prepare(
        'UPDATE chat_message SET hash = ?, block = ?, slot = ?, text_bytes = ?, detail_bytes = ? WHERE key = ?',
      ).run(row.hash!, put.block, put.slot, put.textBytes, put.detailBytes, known.key!)
      loss.details.delete(id)
      continue
    }
    const put = bodies.put(open, encoded(body))
    const isFree = !prepare('SELECT 1 FROM chat_message WHERE key = ?').get(row.key!)
    const message = insert(connection, 'chat_message', {
      ...row,
      key: isFree ? row.key! : null,
      chat: key,
      unit: units(row.unit!),
      block: put.block,
      slot: put.slot,
      text_bytes: put.textBytes,
      detail_bytes: put.detailBytes,
      text: '',
      detail: null,
      copy_of: null,
    })
    if (row.copy_of !== null) copies.push({ key: message, of: Number(row.copy_of) })
    came++
    if (!loss.ids.delete(id)) loss.unnamed = Math.max(0, loss.unnamed - 1)
  }
  bodies.finish()
  return came
}

/** A backup of an archive that was damaged already has the damage too. */
function bodyOf(readable: Bodies, place: BodyPlace): Body | undefined {
  let body: Body | undefined
  isSound(() => {
    body = { text: readable.text(place), detail: readable.detail(place) }
  })
  return body
}

function isSound(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

/** A chat that is not there any more, under its old key where that is free. */
function bring(connection: Connection, chat: Row, losses: Losses): number {
  const { prepare } = connection
  const isFree = !prepare('SELECT 1 FROM chat WHERE key = ?').get(chat.key!)
  for (const [key, loss] of losses) {
    if (loss.source !== chat.source || loss.id !== chat.id) continue
    return insert(connection, 'chat', { ...chat, key, open_block: null, packed: 1 })
  }
  const isNamed = losses.has(Number(chat.key))
  return insert(connection, 'chat', {
    ...chat,
    key: isFree && !isNamed ? chat.key! : null,
    open_block: null,
    packed: 1,
  })
}

function insert({ prepare }: Connection, table: string, row: Row): number {
  const names = Object.keys(row)
  return Number(
    prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...Object.values(row),
    ).lastInsertRowid,
  )
}

/** The key here of a file that the backup knows; it is read again by the next sync. */
function unitsFrom(connection: Connection, backup: Connection): (unit: SQLInputValue) => number | null {
  const { prepare } = connection
  const known = new Map<SQLInputValue, number | null>()
  const find = (unit: SQLInputValue): number | null => {
    const row = backup.prepare('SELECT * FROM unit WHERE key = ?').get(unit) as Row | undefined
    if (!row) return null
    const here = prepare('SELECT key FROM unit WHERE path = ? AND source = ?').get(row.path!, row.source!)
    if (here) return Number(here.key)
    const isFree = !prepare('SELECT 1 FROM unit WHERE key = ?').get(unit)
    return insert(connection, 'unit', { ...row, key: isFree ? unit : null, stamp: '', checkpoint: null })
  }
  return (unit) => {
    if (!known.has(unit)) known.set(unit, find(unit))
    return known.get(unit)!
  }
}

function tellersFrom(
  { prepare }: Connection,
  backup: Connection,
  from: number,
  key: number,
  units: (unit: SQLInputValue) => number | null,
): void {
  for (const row of backup.prepare('SELECT * FROM unit_chat WHERE chat = ?').all(from) as Row[]) {
    const unit = units(row.unit!)
    if (unit === null) continue
    prepare(
      'INSERT OR IGNORE INTO unit_chat (chat, unit, tells, rank, changed_at, header) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(key, unit, row.tells!, row.rank!, row.changed_at!, row.header!)
  }
}

/** A message that repeats one of another chat does so here as well. */
function markCopy({ prepare }: Connection, backup: Connection, key: number, of: number): void {
  const original = backup
    .prepare(
      `SELECT chat.source, chat.id AS chat, chat_message.id FROM chat_message
       JOIN chat ON chat.key = chat_message.chat WHERE chat_message.key = ?`,
    )
    .get(of) as Row | undefined
  if (!original) return
  prepare(
    `UPDATE chat_message SET copy_of = (SELECT message.key FROM chat_message AS message
       JOIN chat ON chat.key = message.chat WHERE chat.id = ? AND chat.source = ? AND message.id = ?) WHERE key = ?`,
  ).run(original.chat!, original.source!, original.id!, key)
}

/** What was forgotten before the backup was made is forgotten still, also where the list of it was damaged. */
export function keepForgotten({ prepare }: Connection, backup: Pick<Connection, 'prepare'>): void {
  for (const row of backup.prepare('SELECT * FROM forgotten').all() as Row[])
    prepare('INSERT OR IGNORE INTO forgotten (source, id, at, copy_of, learns) VALUES (?, ?, ?, ?, ?)').run(
      row.source!,
      row.id!,
      row.at!,
      row.copy_of!,
      row.learns!,
    )
  for (const row of backup.prepare('SELECT * FROM forgotten_mark').all() as Row[])
    prepare('INSERT OR IGNORE INTO forgotten_mark (source, mark, id) VALUES (?, ?, ?)').run(
      row.source!,
      row.mark!,
      row.id!,
    )
  const salt = backup.prepare(`SELECT value FROM setting WHERE name = 'forgetSalt'`).get()?.value
  if (salt !== undefined)
    prepare(`INSERT OR IGNORE INTO setting (name, value) VALUES ('forgetSalt', ?)`).run(salt)
}
