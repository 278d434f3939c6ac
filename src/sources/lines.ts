import fs from 'node:fs'
import { recordsIn } from './salvage.ts'
import type { Problem } from './source.ts'

/**
 * Lines and documents longer than this are read without the base64 in them, which is said in its
 * place and reported; those that are too long even so are skipped and reported.
 */
export const MAX_LINE_BYTES = 64 * 1024 * 1024
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

const CHUNK = 1024 * 1024
const NEWLINE = 10

export type JsonLine =
  /** `offset` is where the line begins in the file, `end` where the next one does. */
  | { offset: number; end: number; value: unknown; problem?: undefined }
  | { offset: number; end: number; problem: Problem; value?: undefined }

/**
 * The JSON lines of a file from `from` on. Empty lines, NUL padding and a byte order mark are
 * passed over. A last line without its newline is told only when it is whole JSON: half of one is
 * still being written, and is read next time. Of a line that is no JSON all that is readable is told,
 * and the rest reported: a program that was killed leaves half a record, and the next one goes on in
 * the same line. Memory: one line, at most MAX_LINE_BYTES.
 * `skip` looks at a line's bytes and saves the parsing of those nobody wants.
 */
export function* jsonLines(
  file: string,
  { from = 0, skip }: { from?: number; skip?: (line: Buffer) => boolean } = {},
): Generator<JsonLine> {
  for (const raw of rawLines(file, from)) {
    const line = raw.cut > 0 ? wholly(raw) : raw
    if (line.tooLong) {
      if (!line.terminated) return
      yield {
        ...span(line),
        problem: { offset: line.offset, reason: `line longer than ${MAX_LINE_BYTES >> 20} MB` },
      }
      continue
    }
    const bytes = trimmed(line.bytes)
    if (bytes.length === 0) continue
    if (skip?.(bytes)) {
      if (bytes.includes(GLUED)) yield* salvaged(line, skip)
      continue
    }
    if (line.cut > 0) yield { offset: line.offset, end: line.offset, problem: leftOut(line) }
    const value = parseJson(bytes)
    if (value !== undefined) yield { ...span(line), value }
    else if (line.terminated) yield* salvaged(line, skip)
  }
}

/** Where one record ends and another begins in the same line; within a text the quote is escaped. */
const GLUED = '}{"'

/** What can be read of a line that is not JSON as a whole, and a report of what cannot. */
export function* salvaged(
  { bytes, offset, end, cut = 0 }: { bytes: Buffer; offset: number; end: number; cut?: number },
  skip?: (line: Buffer) => boolean,
): Generator<JsonLine> {
  const problem = (at: number): Problem => ({ offset: offset + at, reason: 'not valid JSON' })
  let from = 0
  for (const { value, start, stop } of recordsIn(bytes)) {
    // Places in a line that was shortened are not those of the file.
    const place = cut > 0 ? { offset, end } : { offset: offset + start, end: offset + stop }
    if (trimmed(bytes.subarray(from, start)).length > 0)
      yield { offset: place.offset, end: place.offset, problem: problem(from) }
    if (!skip?.(bytes.subarray(start, stop))) yield { ...place, value }
    from = stop
  }
  if (from === 0) yield { offset, end, problem: problem(0) }
  else if (trimmed(bytes.subarray(from)).length > 0) yield { offset: end, end, problem: problem(from) }
}

/** A whole JSON document, a very large one without its base64; throws a sentence when it is too large or not JSON. */
export function readJson(file: string): unknown {
  const stat = fs.statSync(file)
  // To read from a pipe would never end.
  if (!stat.isFile()) throw new Error('not a file')
  const { size } = stat
  if (size > MAX_DOCUMENT_BYTES * 4) throw new Error(`larger than ${(MAX_DOCUMENT_BYTES * 4) >> 20} MB`)
  const whole = trimmed(fs.readFileSync(file))
  const bytes = whole.length > MAX_DOCUMENT_BYTES ? withoutBase64(whole) : whole
  if (bytes.length > MAX_DOCUMENT_BYTES) throw new Error(`larger than ${MAX_DOCUMENT_BYTES >> 20} MB`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Error(bytes.length === 0 ? 'empty file' : 'not valid JSON')
  }
}

interface RawLine {
  offset: number
  end: number
  bytes: Buffer
  terminated: boolean
  tooLong: boolean
  /** Bytes of base64 that were left out. */
  cut: number
}

/** Memory to read into, left by the last reading: with new memory for each of thousands of files the collector has much to do. */
let spare: Buffer | undefined

function* rawLines(file: string, from: number): Generator<RawLine> {
  const fd = fs.openSync(file, 'r')
  let buffer = spare ?? Buffer.allocUnsafeSlow(CHUNK)
  spare = undefined
  try {
    /** Bytes of the current line in the buffer (fewer than in the file once base64 was cut). */
    let held = 0
    let lineStart = from
    let position = from
    let tooLong = false
    let cut = 0
    for (;;) {
      if (held === buffer.length) {
        if (buffer.length < MAX_LINE_BYTES) {
          const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, MAX_LINE_BYTES))
          buffer.copy(larger, 0, 0, held)
          buffer = larger
        } else {
          const kept = cutBase64(buffer, held)
          if (kept < held / 2) {
            cut += held - kept
            held = kept
          } else {
            tooLong = true
            held = 0
          }
        }
      }
      const read = fs.readSync(fd, buffer, held, buffer.length - held, position)
      if (read === 0) break
      let searchFrom = held
      let start = 0
      const filled = held + read
      const whole = buffer.subarray(0, filled)
      for (;;) {
        const newline = whole.indexOf(NEWLINE, searchFrom)
        if (newline < 0) break
        const end = position + (newline - held) + 1
        const bytes = buffer.subarray(start, newline)
        yield { offset: lineStart, end, bytes, terminated: true, tooLong, cut }
        tooLong = false
        cut = 0
        lineStart = end
        start = newline + 1
        searchFrom = start
      }
      position += read
      buffer.copyWithin(0, start, filled)
      held = filled - start
      if (buffer.length > CHUNK && held < CHUNK) buffer = Buffer.concat([buffer.subarray(0, held)], CHUNK)
    }
    if (held > 0) {
      const bytes = buffer.subarray(0, held)
      yield { offset: lineStart, end: position, bytes, terminated: false, tooLong, cut }
    }
  } finally {
    fs.closeSync(fd)
    if (buffer.length === CHUNK) spare = buffer
  }
}

function span({ offset, end }: RawLine) {
  return { offset, end }
}

/** A line that was shortened while it was read, without the rest of its base64. */
function wholly(line: RawLine): RawLine {
  const bytes = withoutBase64(line.bytes)
  return { ...line, bytes, cut: line.cut + line.bytes.length - bytes.length }
}

function leftOut({ offset, cut }: RawLine): Problem {
  return {
    offset,
    reason: `line longer than ${MAX_LINE_BYTES >> 20} MB: ${cut} bytes of base64 were left out`,
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Without white space, NUL bytes and a byte order mark at either end. */
function trimmed(bytes: Buffer): Buffer {
  let start = 0
  let end = bytes.length
  while (start < end && isPadding(bytes[start]!)) start++
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3
  while (start < end && isPadding(bytes[start]!)) start++
  while (end > start && isPadding(bytes[end - 1]!)) end--
  return end - start === bytes.length ? bytes : bytes.subarray(start, end)
}

function isPadding(byte: number): boolean {
  return byte === 0 || byte === 32 || byte === 13 || byte === 9 || byte === NEWLINE
}

const RUN = 4096
/** Kept of a run, so that an escape sequence just before it stays whole. */
const KEPT = 24

const BASE64 = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') {
  BASE64[char.charCodeAt(0)] = 1
}

/** The same JSON with base64 runs of 4 kB and more replaced by a remark. */
export function withoutBase64(bytes: Buffer): Buffer {
  const runs = base64Runs(bytes, bytes.length)
  if (runs.length === 0) return bytes
  const copy = Buffer.from(bytes)
  return copy.subarray(0, cutRuns(copy, copy.length, runs))
}

/** Cuts base64 out of the first `length` bytes in place; returns the new length. */
function cutBase64(buffer: Buffer, length: number): number {
  return cutRuns(buffer, length, base64Runs(buffer, length))
}

/** Any run of RUN bytes covers a multiple of RUN/2, so only those positions are probed. */
function base64Runs(bytes: Buffer, length: number): [start: number, end: number][] {
  const runs: [number, number][] = []
  for (let probe = RUN / 2; probe < length; probe += RUN / 2) {
    if (!BASE64[bytes[probe]!]) continue
    let start = probe
    let end = probe
    while (start > 0 && BASE64[bytes[start - 1]!]) start--
    while (end < length && BASE64[bytes[end]!]) end++
    if (end - start >= RUN) runs.push([start, end])
    probe = Math.max(probe, end - (end % (RUN / 2)))
  }
  return runs
}

function cutRuns(buffer: Buffer, length: number, runs: [number, number][]): number {
  let to = 0
  let from = 0
  for (const [start, end] of runs) {
    const kept = start + KEPT
    buffer.copyWithin(to, from, kept)
    to += kept - from
    to += buffer.write(`...[${end - kept} bytes of base64 left out]`, to, 'latin1')
    from = end
  }
  buffer.copyWithin(to, from, length)
  return to + (length - from)
}
