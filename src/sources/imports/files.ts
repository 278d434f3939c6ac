import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { type Extent, type ImportFile, mayHoldChats, type Offered } from './import-file.ts'
import { Spool } from './spool.ts'
import { isZip, zipFiles } from './zip.ts'

const MAX_DEPTH = 10
const MAX_FILES = 20_000
/** Nobody keeps chats in so many folders: it is a whole disk. */
const MAX_FOLDERS = 50_000
const PASSED_OVER = new Set(['__MACOSX', 'node_modules', '.git'])

/**
 * The files of a target: itself, all of a folder, or all of a zip. Each is there only until the next
 * one is asked for. What is wrong with a target as a whole is thrown, what is wrong with a part of
 * it is told.
 */
export async function* filesOf(
  target: string,
  extent: Extent,
  signal?: AbortSignal,
): AsyncGenerator<Offered> {
  const absolute = path.resolve(target)
  const stat = fs.statSync(absolute, { throwIfNoEntry: false })
  if (!stat) throw new RecollectError('FILE_NOT_FOUND', `There is no file or folder "${target}".`)
  const spool = new Spool(signal)
  try {
    if (!stat.isDirectory()) {
      if (!stat.isFile()) throw new RecollectError('INVALID_ARGUMENT', `"${target}" is not a file.`)
      if (isZip(absolute)) yield* zipFiles({ path: absolute, origin: absolute }, spool, extent)
      else if (mayHoldChats(absolute, true)) yield counted(fileAt(absolute, stat), extent)
      return
    }
    const { found, left } = walk(absolute)
    for (const file of found) {
      signal?.throwIfAborted()
      yield* folderFile(file, spool, extent)
    }
    if (left > 0)
      yield { origin: absolute, problem: `has more than ${MAX_FILES} files; ${left} were left out` }
  } finally {
    spool.close()
  }
}

async function* folderFile(file: string, spool: Spool, extent: Extent): AsyncGenerator<Offered> {
  try {
    const stat = fs.statSync(file)
    if (!file.endsWith('.zip')) yield counted(fileAt(file, stat), extent)
    else if (isZip(file)) yield* zipFiles({ path: file, origin: file }, spool, extent)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    yield { origin: file, problem: (error as Error).message }
  }
}

/** Files in the order of their names, folders after them. Links are not followed. */
function walk(root: string): { found: string[]; left: number } {
  const found: string[] = []
  let left = 0
  let folders = 0
  const enter = (folder: string, depth: number): void => {
    const entries = read(folder).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (!entry.isFile() || !mayHoldChats(entry.name)) continue
      if (found.length < MAX_FILES) found.push(path.join(folder, entry.name))
      else left++
    }
    if (depth >= MAX_DEPTH || ++folders > MAX_FOLDERS) return
    for (const entry of entries)
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) enter(path.join(folder, entry.name), depth + 1)
  }
  enter(root, 0)
  return { found, left }
}

function read(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function fileAt(file: string, { size, mtimeMs, ino }: fs.Stats): ImportFile {
  return { path: file, name: path.basename(file), origin: file, size, mtime: mtimeMs, inode: ino }
}

function counted(file: ImportFile, extent: Extent): ImportFile {
  extent.files++
  extent.bytes += file.size
  return file
}
