import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { isDeviceName } from '../../platform/device-name.ts'
import { log } from '../../platform/log.ts'
import { isAlive } from '../../platform/parts.ts'
import { patientlySync, renamePatiently } from '../../platform/patience.ts'
import { writeAll } from '../../platform/write-all.ts'
import type { Format } from './format.ts'
import { WrittenExports } from './written.ts'

const PIECE = 1 << 20

export interface ExportPlace {
  path: string
  /** Relative paths are meant from here. */
  folder: string
  home: string
  /** Where it is remembered what was written: the archive's folder. */
  records: string
  force?: boolean
}

/**
 * Writes an export to a file only its owner can read. The file is there when it is complete, or not
 * at all. One that was there before is left alone; with `force` an earlier export is written over,
 * and nothing else, because an agent may name any path.
 */
export async function exportFile(
  place: ExportPlace,
  format: Pick<Format, 'extension' | 'mark'>,
  pieces: AsyncIterable<string>,
): Promise<{ path: string; bytes: number }> {
  const written = new WrittenExports(place.records)
  const file = placed(place, format, written)
  const sum = createHash('sha256')
  removeLeft(file)
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`)
  let bytes = 0
  let handle: number | undefined
  try {
    handle = patientlySync(() => fs.openSync(beside, 'wx', 0o600))
    let waiting = ''
    const flush = () => {
      writeAll(handle!, waiting)
      bytes += Buffer.byteLength(waiting)
      sum.update(waiting)
      waiting = ''
    }
    for await (const piece of pieces) {
      waiting += piece
      if (waiting.length > PIECE) flush()
    }
    flush()
    fs.fsyncSync(handle)
    fs.closeSync(handle)
    handle = undefined
    if (place.force) renamePatiently(beside, file)
    else put(beside, file)
    written.add(file, sum.digest('hex'))
    return { path: file, bytes }
  } catch (error) {
    if (handle !== undefined) fs.closeSync(handle)
    fs.rmSync(beside, { force: true })
    throw writeFailure(error, file)
  }
}

function placed(
  { path: given, folder, home, force }: ExportPlace,
  { extension, mark }: Pick<Format, 'extension' | 'mark'>,
  written: WrittenExports,
): string {
  const file = path.resolve(folder, given.replace(/^~(?=$|[\\/])/, home))
  if (path.extname(file).toLowerCase() !== `.${extension}`) {
    throw new RecollectError('INVALID_PATH', `${file} does not end in .${extension}.`, `Name it so.`)
  }
  if (isDeviceName(path.basename(file))) {
    throw new RecollectError(
      'INVALID_PATH',
      `${file} is the name of a device on Windows.`,
      'Name it otherwise.',
    )
  }
  const there = fs.lstatSync(file, { throwIfNoEntry: false })
  if (there && (!force || !there.isFile())) throw exists(file, there.isFile())
  if (there && !(mark && begins(file, mark)) && !written.has(file)) {
    throw new RecollectError('FILE_EXISTS', `${file} is not an earlier export.`, 'Choose another name.')
  }
  if (!fs.statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw new RecollectError('INVALID_PATH', `There is no folder ${path.dirname(file)}.`, 'Create it first.')
  }
  return file
}

/** Removes what exports to this file left that were killed; a folder that cannot be listed may be written to all the same. */
function removeLeft(file: string): void {
  const [folder, start] = [path.dirname(file), `.${path.basename(file)}.`]
  try {
    for (const name of fs.readdirSync(folder)) {
      const pid = name.startsWith(start) && /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1]
      if (pid && !isAlive(Number(pid))) fs.rmSync(path.join(folder, name), { force: true })
    }
  } catch (error) {
    log('debug', `what is beside ${file} could not be looked at: ${(error as Error).message}`)
  }
}

function begins(file: string, mark: string): boolean {
  const handle = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Buffer.byteLength(mark))
    fs.readSync(handle, bytes)
    return bytes.toString() === mark
  } finally {
    fs.closeSync(handle)
  }
}

/** A link fails where somebody else was faster; not every file system has links. */
function put(beside: string, file: string): void {
  try {
    fs.linkSync(beside, file)
    fs.rmSync(beside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || fs.existsSync(file)) throw exists(file, true)
    renamePatiently(beside, file)
  }
}

function exists(file: string, isFile: boolean): RecollectError {
  return isFile
    ? new RecollectError('FILE_EXISTS', `${file} is there already.`, 'Choose another name, or use force.')
    : new RecollectError('INVALID_PATH', `${file} is not a plain file.`, 'Choose another name.')
}

function writeFailure(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof RecollectError || typeof code !== 'string' || 'errcode' in (error as object))
    return error
  return new RecollectError(
    'WRITE_ERROR',
    `${file} could not be written: ${message}`,
    'Nothing was left behind.',
  )
}
