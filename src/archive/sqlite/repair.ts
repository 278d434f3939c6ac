import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { removeLeftParts, removeParts } from '../../platform/parts.ts'
import { listBackups } from '../backups.ts'
import { unpackBackup } from './backup.ts'
import { noteChanges } from './changes.ts'
import { check } from './check.ts'
import { type Connection, connect } from './connection.ts'
import { fillFrom } from './repair-fill.ts'
import { keepSoundVectors, rebuildIndex, settleChats } from './repair-finish.ts'
import { keepSound, type Loss, type Losses, type Sound } from './repair-rows.ts'
import { assertUnused, replaceArchive } from './restore.ts'
import { salvage } from './salvage.ts'
import { unsealAll } from './seal-tables.ts'
import { sealSome, wantRowSums } from './seals.ts'

export interface RepairOptions {
  onProgress?: (progress: { done: number; all: number; what: string }) => void
  /** Only says what would come of it. */
  dryRun?: boolean
}

export interface Repaired {
  /** Messages that the repaired archive has, those of the backups included. */
  messages: number
  chats: number
  /** How many came from backups, and which. */
  fromBackups: number
  backups: string[]
  /** Chats that lost something, or got it back from a backup. */
  damaged: DamagedChat[]
  /** No chat could be read of the damaged archive: what it held is not known. */
  unread: boolean
  /** How much there is of a file that says it had more: chats that only the rest held cannot be named. */
  cut?: { bytes: number; of: number }
  /** Where the damaged archive lies now. */
  setAside?: string
}

export interface DamagedChat {
  source: string
  id: string
  title?: string
  /** Messages that are in the repaired archive. */
  kept: number
  fromBackups: number
  /** Ids of messages that are still missing, as far as they are known, and how many others. */
  missing: string[]
  unnamed: number
  /** Messages without their details: what was thought, what tools were asked and answered. */
  withoutDetails: string[]
  /** Its title and other facts are still missing. */
  withoutHeader: boolean
  /** Files that told of it, and are still there. */
  files: string[]
}

/**
 * Makes a sound archive of what a damaged one and its backups hold, and puts it in place; the damaged one is set
 * aside. What assistants' files still have comes with the next sync, which reads them from the start.
 */
export function repair(home: string, { onProgress, dryRun = false }: RepairOptions = {}): Repaired {
  const archive = path.join(home, 'archive.db')
  if (!dryRun) assertUnused(archive)
  removeLeftParts(home)
  const folder = path.join(home, `archive.repairing-${process.pid}`)
  fs.mkdirSync(folder, { mode: 0o700 })
  try {
    const before = stateOf(archive)
    const made = path.join(folder, 'archive.db')
    fs.closeSync(fs.openSync(made, 'wx', 0o600))
    salvage(archive, made, { onProgress: (each) => onProgress?.({ ...each, what: 'pages read' }) })
    const cut = cutOf(archive)
    const result = { ...rebuild(home, folder, onProgress), ...(cut && { cut }) }
    if (dryRun) return result
    if (stateOf(archive) !== before)
      throw new RecollectError(
        'ARCHIVE_BUSY',
        'The archive was written to while it was repaired.',
        'End what uses it (`recollect serve`, `sync --watch`, editors and assistants that started Recollect), and try again.',
      )
    flush(made)
    const setAside = replaceArchive(archive, made)
    return setAside ? { ...result, setAside } : result
  } finally {
    removeParts(folder)
  }
}

function rebuild(home: string, folder: string, onProgress: RepairOptions['onProgress']): Repaired {
  const connection = connect(folder)
  try {
    // A message may have lost its chat for a moment.
    connection.db.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF')
    const sound = connection.transaction(() => {
      const kept = keepSound(connection)
      unsealAll(connection.db)
      return kept
    })
    const count = (table: string) => Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n)
    const unread = count('chat') + sound.losses.size === 0
    const filled = fillFromBackups(connection, home, folder, sound)
    connection.transaction(() => {
      settleChats(connection, sound.losses)
      keepSoundVectors(connection)
      readAgain(connection, sound.losses)
    })
    rebuildIndex(connection, (each) => onProgress?.({ ...each, what: 'messages' }))
    const damaged = damagedIn(connection, sound.losses, filled.came)
    connection.db.exec('DROP TABLE repair_chat; DROP TABLE repair_message')
    noteChanges(connection, 'unknown')
    wantRowSums(connection, () => {})
    while (connection.transaction(() => sealSome(connection)));
    const [finding] = check(connection, { deep: true })
    if (finding !== undefined)
      throw new RecollectError(
        'REPAIR_FAILED',
        `The archive could not be repaired: ${finding}.`,
        'Nothing was changed. `recollect restore` brings a backup back, and keeps this archive beside it.',
      )
    return {
      messages: count('chat_message'),
      chats: count('chat'),
      fromBackups: [...filled.came.values()].reduce((sum, each) => sum + each, 0),
      backups: filled.names,
      damaged,
      unread,
    }
  } finally {
    connection.close()
  }
}

/** The newest backup first, then older ones as long as something is missing. */
function fillFromBackups(
  connection: Connection,
  home: string,
  folder: string,
  sound: Sound,
): { came: Map<number, number>; names: string[] } {
  const came = new Map<number, number>()
  const names: string[] = []
  for (const { file, kind, name } of listBackups(home)) {
    if (names.length > 0 && ![...sound.losses.values()].some(isIncomplete)) break
    const from = path.join(folder, `backup-${names.length}`)
    try {
      fs.mkdirSync(from, { mode: 0o700 })
      if (kind === 'backup') unpackBackup(file, path.join(from, 'archive.db'))
      else fs.copyFileSync(file, path.join(from, 'archive.db'))
      const backup = connect(from)
      try {
        const more = connection.transaction(() => fillFrom(connection, backup, sound))
        for (const [key, count] of more) came.set(key, (came.get(key) ?? 0) + count)
        names.push(name)
      } finally {
        backup.close()
      }
    } catch {
      // A damaged backup: an older one may serve.
    } finally {
      fs.rmSync(from, { recursive: true, force: true })
    }
  }
  return { came, names }
}

function isIncomplete({ ids, unnamed, details, header }: Loss): boolean {
  return ids.size > 0 || unnamed > 0 || details.size > 0 || header
}

/** Where something is missing, all files are read from their start by the next sync: which of them told it may be lost too. */
function readAgain({ prepare }: Connection, losses: Losses): void {
  if (![...losses.values()].some(isIncomplete)) return
  prepare(`UPDATE unit SET stamp = '', checkpoint = NULL, renews = 1`).run()
}

function damagedIn({ prepare }: Connection, losses: Losses, came: Map<number, number>): DamagedChat[] {
  const files = prepare(
    'SELECT path FROM unit_chat JOIN unit ON unit.key = unit_chat.unit WHERE unit_chat.chat = ?',
  )
  return [...losses].map(([key, { source, id, ids, unnamed, details, header }]) => {
    const row = prepare(
      'SELECT coalesce(title, first_request) AS title, messages FROM chat WHERE key = ?',
    ).get(key)
    return {
      source,
      id,
      ...(typeof row?.title === 'string' && { title: row.title }),
      kept: Number(row?.messages ?? 0),
      fromBackups: came.get(key) ?? 0,
      missing: [...ids],
      unnamed,
      withoutDetails: [...details],
      withoutHeader: header,
      files: files
        .all(key)
        .map((each) => String(each.path))
        .filter((file) => fs.existsSync(file)),
    }
  })
}

const HEADER_BYTES = 100

/** Whether the file is shorter than its header says. What is missing may be in a write-ahead log, where there is one. */
function cutOf(archive: string): Repaired['cut'] {
  if (fs.statSync(`${archive}-wal`, { throwIfNoEntry: false })?.size) return undefined
  const header = Buffer.alloc(HEADER_BYTES)
  const file = fs.openSync(archive, 'r')
  try {
    fs.readSync(file, header)
    if (!header.toString('latin1').startsWith('SQLite format 3\0')) return undefined
    const bytes = fs.fstatSync(file).size
    // SQLite writes 65,536 as 1.
    const of = header.readUInt32BE(28) * (header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16))
    return bytes < of ? { bytes, of } : undefined
  } finally {
    fs.closeSync(file)
  }
}

/** Size and time of the archive's files: equal where nobody wrote. */
function stateOf(archive: string): string {
  return ['', '-wal']
    .map((end) => fs.statSync(archive + end, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.size ?? 0} ${stat?.mtimeMs ?? 0}`)
    .join(' ')
}

function flush(file: string): void {
  const open = fs.openSync(file, 'r+')
  fs.fsyncSync(open)
  fs.closeSync(open)
}
