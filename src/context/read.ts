import fs from 'node:fs'
import { fileFailure } from '../platform/change-file.ts'
import { preview } from '../recall/preview.ts'
import { readAt, refuseOtherEncodings } from './bytes.ts'
import { countEntries } from './count.ts'
import { type Entry, entriesIn, hasBom, headingsIn } from './entry.ts'
import { noContextFile, type Place, realFile } from './place.ts'
import { plainText } from './plain.ts'

/** The most that is read of a file unless more is asked for. */
const MAX_BYTES = 1_000_000
const FIRST_TAIL = 64 * 1024

export interface ReadOptions {
  format?: 'markdown' | 'plain'
  lastSessions?: number
  maxBytes?: number
}

/** Takes out what must not leave, before anything is cut: half a secret is not known for one. */
type Clean = <T>(value: T) => T

export interface ContextRead {
  content: string
  metadata: {
    path: string
    size: number
    lastModified: string
    sessionCount: number
    truncated?: boolean
  }
}

export async function readContext(
  place: Place,
  options: ReadOptions = {},
  clean: Clean = (value) => value,
): Promise<ContextRead> {
  return withFile(place, (fd, stat) => {
    const tail = lastPart(fd, stat.size, options)
    const text = cleanTail(fd, tail, clean)
    return {
      content: options.format === 'plain' ? plainText(text) : text,
      metadata: {
        path: place.file,
        size: stat.size,
        lastModified: stat.mtime.toISOString(),
        sessionCount: tail.whole ? headingsIn(tail.bytes).length : countEntries(fd, place.file, stat),
        ...(tail.truncated && { truncated: true }),
      },
    }
  })
}

/** The last entries, newest last. */
export async function lastEntries(place: Place, count: number): Promise<Entry[]> {
  return withFile(place, (fd, { size }) => {
    const { bytes } = lastPart(fd, size, { lastSessions: count })
    return count > 0 ? entriesIn(bytes).slice(-count) : []
  })
}

export interface ContextSummary {
  path: string
  exists: boolean
  stats: { size: number; lines: number; words: number; sessions: number }
  lastModified: string
  recentSessions: { timestamp: string; preview: string }[]
}

export async function summarizeContext(
  place: Place,
  clean: Clean = (value) => value,
): Promise<ContextSummary> {
  const recent = await lastEntries(place, 5)
  return withFile(place, (fd, stat) => ({
    path: place.file,
    exists: true,
    stats: { size: stat.size, ...textStats(fd), sessions: countEntries(fd, place.file, stat) },
    lastModified: stat.mtime.toISOString(),
    recentSessions: recent.map(({ timestamp, title, content }) => ({
      timestamp,
      preview: preview(clean(title || plainText(content)), 100),
    })),
  }))
}

async function withFile<T>(place: Place, work: (fd: number, stat: fs.Stats) => T): Promise<T> {
  let fd: number | undefined
  try {
    const real = realFile(place.file, place.workspace, 'READ_ERROR')
    if (!real) throw noContextFile(place)
    fd = fs.openSync(real, 'r')
    refuseOtherEncodings(readAt(fd, 0, 2), place.file)
    return work(fd, fs.fstatSync(fd))
  } catch (error) {
    throw fileFailure(error, 'READ_ERROR', place.file)
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

interface Part {
  bytes: Buffer
  /** Where in the file it begins. */
  begin: number
  /** Nothing of the file is missing. */
  whole: boolean
  /** Something that was asked for is missing. */
  truncated: boolean
}

/** Reads from the end, twice as far each time, until the entries asked for are there. */
function lastPart(fd: number, size: number, { lastSessions, maxBytes = MAX_BYTES }: ReadOptions): Part {
  let length = Math.min(size, maxBytes, lastSessions === undefined ? size : FIRST_TAIL)
  for (;;) {
    // One byte more tells whether the part begins with a line.
    const begin = size - length
    const read = readAt(fd, Math.max(0, begin - 1), size)
    const bytes = begin > 0 ? fromNextLine(read) : read
    const headings = headingsIn(bytes)
    if (lastSessions !== undefined && headings.length >= lastSessions) {
      if (begin === 0 && headings.length === lastSessions)
        return { bytes, begin: 0, whole: true, truncated: false }
      const from = lastSessions === 0 ? bytes.length : headings.at(-lastSessions)!
      return { ...partFrom(bytes, from, size), whole: false, truncated: false }
    }
    if (begin === 0) return { bytes, begin: 0, whole: true, truncated: false }
    if (length >= maxBytes) {
      return { ...partFrom(bytes, headings[0] ?? 0, size), whole: false, truncated: true }
    }
    length = Math.min(size, maxBytes, length * 2)
  }
}

function partFrom(bytes: Buffer, from: number, size: number): Pick<Part, 'bytes' | 'begin'> {
  const part = bytes.subarray(from)
  return { bytes: part, begin: size - part.length }
}

/** Longer than any secret that has lines of its own. */
const BEFORE = 16_384

/** The part without secrets, also where one of them begins before it. */
function cleanTail(fd: number, { bytes, begin }: Part, clean: Clean): string {
  const text = withoutBom(bytes).toString('utf8')
  if (begin === 0) return clean(text)
  const before = readAt(fd, Math.max(0, begin - BEFORE), begin).toString('utf8')
  const whole = clean(before + text)
  if (whole.endsWith(text)) return text
  const lead = clean(before)
  // A secret that reaches over the edge is named where it ends.
  let same = 0
  while (same < lead.length && lead[same] === whole[same]) same++
  return whole.slice(same)
}

/** Where no line ends in it, at least no character is cut in half. */
function fromNextLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(10)
  if (end >= 0 && end < bytes.length - 1) return bytes.subarray(end + 1)
  let start = Math.min(1, bytes.length)
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

function withoutBom(bytes: Buffer): Buffer {
  return hasBom(bytes) ? bytes.subarray(3) : bytes
}

/** In one pass and constant memory. */
function textStats(fd: number): { lines: number; words: number } {
  const chunk = Buffer.allocUnsafe(256 * 1024)
  let [lines, words, inWord, last] = [0, 0, false, 10]
  for (let at = 0; ; ) {
    const got = fs.readSync(fd, chunk, 0, chunk.length, at)
    if (got === 0) return { lines: last === 10 ? lines : lines + 1, words }
    for (let index = 0; index < got; index++) {
      const byte = chunk[index]!
      const isSpace = byte === 32 || (byte >= 9 && byte <= 13)
      if (byte === 10) lines++
      if (!isSpace && !inWord) words++
      inWord = !isSpace
    }
    last = chunk[got - 1]!
    at += got
  }
}
