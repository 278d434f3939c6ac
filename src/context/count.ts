import fs from 'node:fs'
import { readAt } from './bytes.ts'
import { headingsIn } from './entry.ts'

interface Counted {
  size: number
  mtimeMs: number
  entries: number
  /** The bytes before `size`: unchanged while the file only grew. */
  tail: Buffer
}

const known = new Map<string, Counted>()
const CHUNK = 256 * 1024
const TAIL = 256

/**
 * How many entries a file has. It is read once, a piece at a time; afterwards only what was
 * appended is.
 */
export function countEntries(fd: number, file: string, { size, mtimeMs }: fs.Stats): number {
  const before = known.get(file)
  if (before?.size === size && before.mtimeMs === mtimeMs) return before.entries
  const grew = before && size >= before.size && before.tail.equals(tailAt(fd, before.size))
  let entries = grew ? before.entries : 0
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let from = grew ? before.size : 0; from < size; ) {
    const bytes = chunk.subarray(0, fs.readSync(fd, chunk, 0, Math.min(CHUNK, size - from), from))
    if (bytes.length === 0) break
    // Up to the end of a line, since a heading may stand across two pieces.
    const end = from + bytes.length >= size ? bytes.length : bytes.lastIndexOf(10) + 1 || bytes.length
    const atLineStart = from === 0 || readAt(fd, from - 1, from)[0] === 10
    entries += countIn(bytes.subarray(0, end), atLineStart)
    from += end
  }
  if (known.size > 100) known.clear()
  known.set(file, { size, mtimeMs, entries, tail: tailAt(fd, size) })
  return entries
}

function countIn(bytes: Buffer, atLineStart: boolean): number {
  const found = headingsIn(bytes)
  return found.length - (!atLineStart && found[0] === 0 ? 1 : 0)
}

function tailAt(fd: number, size: number): Buffer {
  return readAt(fd, Math.max(0, size - TAIL), size)
}
