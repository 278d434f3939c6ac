import fs from 'node:fs'
import type { Problem } from './source.ts'

/** Lines and documents longer than this, after base64 is left out, are skipped and reported. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024
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
 * still being written, and is read next time. Memory: one line, at most MAX_LINE_BYTES.
 * `skip` looks at a line's bytes and saves the parsing of those nobody wants.
 */
export function* jsonLines(
  file: string,
  { from = 0, skip }: { from?: number; skip?: (line: Buffer) => boolean } = {},
): Generator<JsonLine> {
  for (const line of rawLines(file, from)) {
    if (line.tooLong) {
      if (!line.terminated) return
      yield {
        ...span(line),
        problem: { offset: line.offset, reason: `line longer than ${MAX_LINE_BYTES >> 20} MB` },
      }
      continue
    }
    const bytes = trimmed(line.bytes)
    if (bytes.length === 0 || skip?.(bytes)) continue
    const value = parseJson(bytes)
    if (value !== undefined) yield { ...span(line), value }
    else if (line.terminated)
      yield { ...span(line), problem: { offset: line.offset, reason: 'not valid JSON' } }
  }
}

/** A whole JSON document with its base64 left out; throws a sentence when it is too large or not JSON. */
export function readJson(file: string): unknown {
  const { size } = fs.statSync(file)
  if (size > MAX_DOCUMENT_BYTES * 4) throw new Error(`larger than ${(MAX_DOCUMENT_BYTES * 4) >> 20} MB`)
  const bytes = withoutBase64(trimmed(fs.readFileSync(file)))
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
}

function* rawLines(file: string, from: number): Generator<RawLine> {
  const fd = fs.openSync(file, 'r')
  try {
    const left = Math.max(0, fs.fstatSync(fd).size - from)
    let buffer = Buffer.allocUnsafe(Math.min(CHUNK, left + 1))
    /** Bytes of the current line in the buffer (fewer than in the file once base64 was cut). */
    let held = 0
    let lineStart = from
    let position = from
    let tooLong = false
    for (;;) {
      if (held === buffer.length) {
        const cut = cutBase64(buffer, held)
        if (cut < held / 2) held = cut
        else if (buffer.length >= MAX_LINE_BYTES) {
          tooLong = true
          held = 0
        } else {
          const larger = Buffer.allocUnsafe(buffer.length * 2)
          buffer.copy(larger, 0, 0, cut)
          buffer = larger
          held = cut
        }
      }
      const read = fs.readSync(fd, buffer, held, buffer.length - held, position)
      if (read === 0) break
      let searchFrom = held
      let start = 0
      const filled = held + read
      for (;;) {
        const newline = buffer.subarray(0, filled).indexOf(NEWLINE, searchFrom)
        if (newline < 0) break
        const end = position + (newline - held) + 1
        yield { offset: lineStart, end, bytes: buffer.subarray(start, newline), terminated: true, tooLong }
        tooLong = false
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
      yield { offset: lineStart, end: position, bytes: buffer.subarray(0, held), terminated: false, tooLong }
    }
  } finally {
    fs.closeSync(fd)
  }
}

function span({ offset, end }: RawLine) {
  return { offset, end }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse((bytes.length > 32_768 ? withoutBase64(bytes) : bytes).toString('utf8'))
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
  return bytes.subarray(start, end)
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
