import fs from 'node:fs'
import path from 'node:path'
import { changeSmallFile, textOf } from '../platform/change-file.ts'
import { removeParts } from '../platform/parts.ts'

/**
 * Where backups lie and how they are named. A backup is a list of pages (`*.backup`) beside packs of
 * pages (`*.pages`), which later backups in the same folder share. A plain copy that is made before an
 * older archive is brought up to this version is one file (`archive-of-*.db`) beside the archive.
 */
export interface Backup {
  /** Its name in its folder: `2026-11-15T152000Z`, or that of the plain copy. */
  name: string
  kind: 'backup' | 'before-update'
  /** Its list of pages, or the plain copy itself. */
  file: string
  folder: string
  createdAt: number
}

/** Those that are made by themselves and those in the archive's own folder: so many of a kind are kept, in at most so many bytes. */
export const KEPT = 3
export const BUDGET = 4 * 2 ** 30

const LIST = /^(\d{4}-\d\d-\d\dT\d{6}Z(?:-\d+)?)\.backup$/
const PACK = /^\d{4}-\d\d-\d\dT\d{6}Z(?:-\d+)?\.pages$/
/** The archive as a backup that is being made has read it; and all that making and rewriting backups leaves half done. */
const SNAPSHOT = /^\d{4}-\d\d-\d\dT\d{6}Z(?:-\d+)?\.part-\d+$/
const PART = /^(?:\d{4}-\d\d-\d\dT\d{6}Z.*|rewriting)\.part-\d+(?:-journal)?$/
const COPY = /^archive-of-.*\.db$/
/** What was there before a backup was restored. */
const SET_ASIDE = /^archive-set-aside-.*\.db(?:-wal|-shm)?$/

export function backupsFolder(home: string): string {
  return path.join(home, 'backups')
}

/** All that are known: in the archive's own folder and wherever one was made; the newest first. */
export function listBackups(home: string): Backup[] {
  const copies = namesIn(home)
    .filter((name) => COPY.test(name))
    .map((name): Backup => {
      const file = path.join(home, name)
      return { name, kind: 'before-update', file, folder: home, createdAt: fs.statSync(file).mtimeMs }
    })
  const folders = new Set([backupsFolder(home), ...otherFolders(home)])
  return [...[...folders].flatMap(backupsIn), ...copies].sort((a, b) => b.createdAt - a.createdAt)
}

/** Those in one folder, the newest first. */
export function backupsIn(folder: string): Backup[] {
  return namesIn(folder)
    .flatMap((file): Backup[] => {
      const name = LIST.exec(file)?.[1]
      if (!name) return []
      return [{ name, kind: 'backup', file: path.join(folder, file), folder, createdAt: timeOf(name) }]
    })
    .sort((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? 1 : -1))
}

/** Files that hold words of chats: every copy of the archive, and those that are being made. */
export function backupFiles(home: string): string[] {
  return foldersOf(home).flatMap((folder) => backupFilesIn(home, folder))
}

export function backupFilesIn(home: string, folder: string): string[] {
  return [...copiesIn(home, folder), ...filesIn(folder, SNAPSHOT)]
}

/** A backup's lists and packs, plain copies, and archives that were set aside. Lists come first: none is without its packs. */
export function copiesIn(home: string, folder: string): string[] {
  const kinds = folder === home ? [LIST, PACK, COPY, SET_ASIDE] : [LIST, PACK]
  return kinds.flatMap((kind) => filesIn(folder, kind))
}

/** What only the holder of the folder's lock makes there. */
export function partsIn(folder: string): string[] {
  return filesIn(folder, PART)
}

/** Whether it is what a backup that is being made has read of the archive. */
export function isBeingMade(file: string): boolean {
  return SNAPSHOT.test(path.basename(file))
}

/**
 * Removes the oldest copies that were made before updates, beyond those that are kept and while they and the backups
 * take more than the budget. The newest stays, and so do archives that were set aside.
 */
export function pruneCopies(home: string, { kept = KEPT, budget = BUDGET } = {}): Backup[] {
  const copies = listBackups(home).filter(({ kind }) => kind === 'before-update')
  const gone = copies.splice(kept)
  const others = bytesOf(namesIn(backupsFolder(home)).map((name) => path.join(backupsFolder(home), name)))
  while (copies.length > 1 && others + bytesOf(copies.map(({ file }) => file)) > budget)
    gone.push(copies.pop()!)
  removeParts(...gone.map(({ file }) => file))
  return gone
}

function bytesOf(files: string[]): number {
  return files.reduce((sum, file) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

export function packsIn(folder: string): string[] {
  return namesIn(folder).filter((name) => PACK.test(name))
}

/** Where copies of the archive lie, and files are made beside what they become: folders of backups, and the archive's own. */
export function foldersOf(home: string): string[] {
  return [...new Set([backupsFolder(home), ...otherFolders(home), home])]
}

/** A name for a backup that is made now, of which there is none yet. */
export function nameFor(folder: string, at: number): string {
  const moment = `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z`
  const isTaken = (name: string) =>
    ['.backup', '.pages'].some((end) => fs.existsSync(path.join(folder, name + end)))
  let name = moment
  for (let number = 2; isTaken(name); number++) name = `${moment}-${number}`
  return name
}

/** Folders other than the archive's own into which backups were made. */
function otherFolders(home: string): string[] {
  try {
    return foldersIn(textOf(elsewhere(home)))
  } catch {
    return []
  }
}

function foldersIn(text: string | undefined): string[] {
  try {
    const folders: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(folders) ? folders.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** To be done before a backup is made there: who erases a chat meanwhile then knows where to look. */
export function noteFolder(home: string, folder: string): void {
  if (folder === backupsFolder(home) || otherFolders(home).includes(folder)) return
  changeSmallFile(elsewhere(home), (text) => JSON.stringify([...new Set([...foldersIn(text), folder])]))
}

function elsewhere(home: string): string {
  return path.join(backupsFolder(home), 'elsewhere.json')
}

function timeOf(name: string): number {
  const [, day, hours, minutes, seconds] = /^(.{10})T(..)(..)(..)Z/.exec(name)!
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
}

function filesIn(folder: string, kind: RegExp): string[] {
  return namesIn(folder)
    .filter((name) => kind.test(name))
    .map((name) => path.join(folder, name))
}

/** A folder that is not there has none. */
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
