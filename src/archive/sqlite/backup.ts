import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { backup } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RecollectError } from '../../model/errors.ts'
import type { FileLock } from '../../platform/lock.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import { writeAll } from '../../platform/write-all.ts'
import {
  type Backup,
  BUDGET,
  backupsFolder,
  backupsIn,
  KEPT,
  nameFor,
  noteFolder,
  packsIn,
} from '../backups.ts'
import { type LockOptions, lockFolder, putInPlace } from '../folder-lock.ts'
import { canWrite, openReading } from './read-only.ts'

export interface BackupOptions extends LockOptions {
  /** Where to; the archive's own folder of backups otherwise. */
  folder?: string
  onProgress?: (progress: { done: number; all: number }) => void
}

export interface BackupMade {
  name: string
  file: string
  /** Of the archive then. */
  bytes: number
  /** What this backup added to its folder. */
  addedBytes: number
  pages: number
  addedPages: number
  /** Names of older ones that are not kept any more. */
  removed: string[]
}

/** A page of the archive in a pack. */
interface Page {
  hash: string
  pack: string
  offset: number
  length: number
}

interface List {
  format: 1
  createdAt: number
  bytes: number
  pageBytes: number
  pages: Page[]
}

/** Between so many pages others get their turn. */
const TURN = 64
const LEVEL = 1

/**
 * Copies the archive's state of this moment, while others go on writing. Pages that an earlier backup in the
 * folder holds are not stored again. All that the backup names is read back before it counts. In the archive's own
 * folder the oldest go then; elsewhere the person decides what is kept.
 */
export async function makeBackup(
  home: string,
  { folder = backupsFolder(home), onProgress, ...options }: BackupOptions = {},
): Promise<BackupMade> {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new RecollectError(
      'ARCHIVE_UNWRITABLE',
      `No backup can be made in ${folder}: ${(error as Error).message}.`,
      'Name a folder that you may write to.',
    )
  }
  // Beside a read-only archive nothing can be noted.
  if (canWrite(home, path.join(home, 'archive.db'))) noteFolder(home, folder)
  const lock = await lockFolder(folder, options)
  try {
    const made = await makeIn(folder, home, lock, { onProgress, signal: options.signal })
    const gone = folder === backupsFolder(home) ? prune(folder) : []
    return { ...made, removed: gone.map(({ name }) => name) }
  } finally {
    lock.release()
  }
}

async function makeIn(
  folder: string,
  home: string,
  lock: FileLock,
  options: Pick<BackupOptions, 'onProgress' | 'signal'>,
): Promise<Omit<BackupMade, 'removed'>> {
  const name = nameFor(folder, Date.now())
  const snapshot = path.join(folder, `${name}.part-${process.pid}`)
  const pack = `${name}.pages`
  const packPart = `${path.join(folder, pack)}.part-${process.pid}`
  const file = path.join(folder, `${name}.backup`)
  try {
    await copy(path.join(home, 'archive.db'), snapshot)
    const list = await packPages(snapshot, packPart, pack, await knownPages(folder), options)
    const added = list.pages.filter((page) => page.pack === pack)
    if (added.length > 0) settle(packPart, path.join(folder, pack))
    await verify(folder, list)
    writeList(file, list, lock)
    readList(file)
    return {
      name,
      file,
      bytes: list.bytes,
      addedBytes: fs.statSync(file).size + (added.length > 0 ? fs.statSync(path.join(folder, pack)).size : 0),
      pages: list.pages.length,
      addedPages: new Set(added.map((page) => page.hash)).size,
    }
  } catch (error) {
    // The list first: where it cannot be removed, it keeps what it names.
    removeParts(file)
    if (!fs.existsSync(file)) removeParts(path.join(folder, pack))
    throw error
  } finally {
    removeParts(snapshot, `${snapshot}-journal`, packPart)
  }
}

/** Writes the archive of a backup into a file that is not there yet. Every page is checked. */
export function unpackBackup(file: string, into: string): void {
  const list = readList(file)
  const packs = new Packs(path.dirname(file))
  const out = fs.openSync(into, 'wx', 0o600)
  try {
    for (const page of list.pages) writeAll(out, packs.read(page))
    fs.fsyncSync(out)
  } catch (error) {
    fs.rmSync(into, { force: true })
    throw error
  } finally {
    fs.closeSync(out)
    packs.close()
  }
}

/** Pages that were stored since others were rewritten: only such are shared. */
export type StoredPages = Map<string, Page>

/**
 * Puts an archive in the place of the one that a backup holds: whole or not at all. What the old one was made of
 * goes with `removeUnusedPacks`, when all backups of the folder were rewritten.
 */
export async function replaceBackup(
  { folder, file, createdAt }: Backup,
  archive: string,
  stored: StoredPages,
  lock: FileLock,
): Promise<void> {
  const pack = `${nameFor(folder, createdAt)}.pages`
  const packPart = `${path.join(folder, pack)}.part-${process.pid}`
  try {
    const list = await packPages(archive, packPart, pack, stored, {})
    if (list.pages.some((page) => page.pack === pack)) settle(packPart, path.join(folder, pack))
    await verify(folder, list)
    writeList(file, { ...list, createdAt }, lock)
  } finally {
    removeParts(packPart)
  }
}

export function removeUnusedPacks(folder: string): void {
  removeUnused(folder, backupsIn(folder))
}

/**
 * Removes the oldest beyond those that are kept, and packs that no backup needs: those of one that is being made too, so the
 * folder is to be locked. Says which backups went.
 */
export function prune(folder: string, { kept = KEPT, budget = BUDGET } = {}): Backup[] {
  const all = backupsIn(folder)
  const gone = all.splice(kept)
  for (const each of gone) fs.rmSync(each.file)
  removeUnused(folder, all)
  while (all.length > 1 && bytesIn(folder) > budget) {
    const oldest = all.pop()!
    fs.rmSync(oldest.file)
    gone.push(oldest)
    removeUnused(folder, all)
  }
  return gone
}

/** What backups take in a folder. */
export function bytesIn(folder: string): number {
  const names = [...packsIn(folder), ...backupsIn(folder).map(({ file }) => path.basename(file))]
  return names.reduce(
    (sum, name) => sum + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

/** SQLite's own online copy, all in one step: one state, whoever writes. */
async function copy(from: string, to: string): Promise<void> {
  fs.closeSync(fs.openSync(to, 'wx', 0o600))
  const { db, close } = openReading(from)
  try {
    await backup(db, to, { rate: 2 ** 30 })
  } finally {
    db.close()
    close()
  }
}

async function packPages(
  snapshot: string,
  packFile: string,
  pack: string,
  known: Map<string, Page>,
  { onProgress, signal }: Pick<BackupOptions, 'onProgress' | 'signal'>,
): Promise<List> {
  const from = fs.openSync(snapshot, 'r')
  const out = fs.openSync(packFile, 'wx', 0o600)
  try {
    const { size: bytes } = fs.fstatSync(from)
    const head = Buffer.alloc(100)
    fs.readSync(from, head, 0, 100, 0)
    const written = head.readUInt16BE(16)
    const pageBytes = written === 1 ? 65_536 : written
    const count = Math.ceil(bytes / pageBytes)
    const page = Buffer.alloc(pageBytes)
    const pages: Page[] = []
    let end = 0
    for (let number = 0; number < count; number++) {
      signal?.throwIfAborted()
      const length = fs.readSync(from, page, 0, pageBytes, number * pageBytes)
      const content = page.subarray(0, length)
      const sum = hash('sha256', content)
      let at = known.get(sum)
      if (!at) {
        const packed = zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
        writeAll(out, packed)
        at = { hash: sum, pack, offset: end, length: packed.length }
        end += packed.length
        known.set(sum, at)
      }
      pages.push(at)
      if (number % TURN === 0) {
        onProgress?.({ done: number, all: count })
        await setImmediate()
      }
    }
    fs.fsyncSync(out)
    return { format: 1, createdAt: Date.now(), bytes, pageBytes, pages }
  } finally {
    fs.closeSync(from)
    fs.closeSync(out)
  }
}

async function verify(folder: string, { pages }: List): Promise<void> {
  const packs = new Packs(folder)
  try {
    for (const [number, page] of pages.entries()) {
      packs.read(page)
      if (number % TURN === 0) await setImmediate()
    }
  } finally {
    packs.close()
  }
}

/**
 * Pages that need not be stored again, of the newest backup. A pack of which it uses less than half does not
 * count: what is in use of it is stored again, so that the pack can go with the older backups.
 */
async function knownPages(folder: string): Promise<Map<string, Page>> {
  const known = new Map<string, Page>()
  const newest = backupsIn(folder)[0]
  if (!newest) return known
  try {
    const { pages } = readList(newest.file)
    for (const page of pages) known.set(page.hash, page)
  } catch {
    // A damaged list: all is stored again.
    return new Map()
  }
  const used = new Map<string, number>()
  for (const { pack, length } of known.values()) used.set(pack, (used.get(pack) ?? 0) + length)
  const packs = new Packs(folder)
  let looked = 0
  try {
    for (const [hash, page] of known) {
      if (looked++ % TURN === 0) await setImmediate()
      const size = fs.statSync(path.join(folder, page.pack), { throwIfNoEntry: false })?.size ?? 0
      if (used.get(page.pack)! * 2 < size || !isReadable(packs, page)) known.delete(hash)
    }
  } finally {
    packs.close()
  }
  return known
}

function isReadable(packs: Packs, page: Page): boolean {
  try {
    packs.read(page)
    return true
  } catch {
    return false
  }
}

/** Reads pages out of packs, and lets none pass that is not what was stored. */
class Packs {
  readonly #folder: string
  readonly #open = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  read({ hash: expected, pack, offset, length }: Page): Buffer {
    try {
      const file = this.#open.get(pack) ?? fs.openSync(path.join(this.#folder, pack), 'r')
      this.#open.set(pack, file)
      const packed = Buffer.alloc(length)
      fs.readSync(file, packed, 0, length, offset)
      const content = zstdDecompressSync(packed, { maxOutputLength: 65_536 })
      if (hash('sha256', content) === expected) return content
    } catch (error) {
      throw damaged(path.join(this.#folder, pack), (error as Error).message)
    }
    throw damaged(path.join(this.#folder, pack), 'a page is not what was stored')
  }

  close(): void {
    for (const file of this.#open.values()) fs.closeSync(file)
    this.#open.clear()
  }
}

function writeList(file: string, list: List, lock: FileLock): void {
  const packs = [...new Set(list.pages.map(({ pack }) => pack))]
  const pages = list.pages.map(({ hash, pack, offset, length }) => [
    hash,
    packs.indexOf(pack),
    offset,
    length,
  ])
  const packed = zstdCompressSync(JSON.stringify({ ...list, packs, pages }), {
    params: { [constants.ZSTD_c_checksumFlag]: 1 },
  })
  fs.writeFileSync(lock.temp, packed, { mode: 0o600, flush: true })
  putInPlace(lock, file)
}

function readList(file: string): List {
  try {
    const list = JSON.parse(zstdDecompressSync(fs.readFileSync(file)).toString())
    if (list.format !== 1) throw new Error('a newer Recollect wrote it')
    const pages = list.pages.map(([hash, pack, offset, length]: [string, number, number, number]) => ({
      hash,
      pack: path.basename(String(list.packs[pack])),
      offset,
      length,
    }))
    return { ...list, pages }
  } catch (error) {
    throw damaged(file, (error as Error).message)
  }
}

function removeUnused(folder: string, kept: Backup[]): void {
  const used = new Set(kept.flatMap(({ file }) => readList(file).pages.map(({ pack }) => pack)))
  for (const pack of packsIn(folder)) if (!used.has(pack)) fs.rmSync(path.join(folder, pack))
}

function settle(part: string, file: string): void {
  renamePatiently(part, file)
}

function damaged(file: string, why: string): RecollectError {
  return new RecollectError(
    'BACKUP_DAMAGED',
    `The backup cannot be read: ${file} (${why}).`,
    '`recollect restore --list` shows the others.',
  )
}
