import fs from 'node:fs'
import { object } from '../json.ts'
import { jsonLines, readJson, withoutBase64 } from '../lines.ts'
import type { Element } from './import.ts'

/** Elements longer than this, after base64 is left out, are passed over and reported. */
const MAX_ELEMENT_BYTES = 64 * 1024 * 1024
const CHUNK = 1024 * 1024
/** When so much of one element is held, base64 is cut out of it. */
const CUT_BYTES = 16 * 1024 * 1024
const HEAD = 64 * 1024

/**
 * What a JSON file holds, piece by piece: the elements of its array, the lines of Recollect's own
 * export, or all of it where it is one object. Nothing where it is no JSON at all. Memory: one
 * element, however long the array.
 */
export function* elementsOf(file: string): Generator<Element> {
  const { shape, start } = shapeOf(file)
  if (shape === 'array') yield* arrayElements(file, start)
  else if (shape === 'lines') yield* lineElements(file)
  else if (shape === 'object') {
    try {
      yield { offset: 0, value: readJson(file) }
    } catch (error) {
      yield { offset: 0, problem: { offset: 0, reason: (error as Error).message } }
    }
  }
}

function shapeOf(file: string): { shape?: 'array' | 'lines' | 'object'; start: number } {
  const fd = fs.openSync(file, 'r')
  const head = Buffer.alloc(Math.min(HEAD, fs.fstatSync(fd).size))
  const read = fs.readSync(fd, head, 0, head.length, 0)
  fs.closeSync(fd)
  let start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  while (start < read && isPadding(head[start]!)) start++
  if (head[start] === OPEN_LIST) return { shape: 'array', start }
  if (head[start] !== OPEN_OBJECT) return { start }
  const newline = head.subarray(0, read).indexOf(10, start)
  const line = head.toString('utf8', start, newline < 0 ? read : newline)
  return { shape: line.includes('"recollect"') && isHeader(line) ? 'lines' : 'object', start }
}

function isHeader(line: string): boolean {
  try {
    return typeof object(JSON.parse(line))?.recollect === 'number'
  } catch {
    return false
  }
}

function* lineElements(file: string): Generator<Element> {
  let told = 0
  for (const { end, ...line } of jsonLines(file)) {
    told = end
    yield line
  }
  // A half line is passed over in silence by `jsonLines`, since a log may still be growing; this file is not.
  const { size } = fs.statSync(file)
  if (told < size && !endsWithNewline(file, size))
    yield { offset: told, problem: { offset: told, reason: 'the file ends within a line' } }
}

function endsWithNewline(file: string, size: number): boolean {
  const fd = fs.openSync(file, 'r')
  const last = Buffer.alloc(1)
  fs.readSync(fd, last, 0, 1, size - 1)
  fs.closeSync(fd)
  return last[0] === 10
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Splits the array that opens at `start` by counting brackets; only the elements are parsed. */
function* arrayElements(file: string, start: number): Generator<Element> {
  const fd = fs.openSync(file, 'r')
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, fs.fstatSync(fd).size))
    const current = new HeldElement()
    let position = start + 1
    let depth = 0
    let inElement = false
    let inString = false
    let escaped = false
    for (;;) {
      const read = fs.readSync(fd, chunk, 0, chunk.length, position)
      if (read === 0) break
      let begin = 0
      for (let at = 0; at < read; at++) {
        const byte = chunk[at]!
        if (inString) {
          if (escaped) escaped = false
          else if (byte === BACKSLASH) escaped = true
          else if (byte === QUOTE) inString = false
          continue
        }
        if (!inElement) {
          if (byte === CLOSE_LIST) return
          if (byte === COMMA || isPadding(byte)) continue
          inElement = true
          begin = at
          current.begin(position + at)
        }
        if (byte === QUOTE) inString = true
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
        else if (depth > 0 && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) {
          if (--depth > 0) continue
          yield current.end(chunk.subarray(begin, at + 1))
          inElement = false
        } else if (depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
          yield current.end(chunk.subarray(begin, at))
          inElement = false
          if (byte === CLOSE_LIST) return
        }
      }
      if (inElement) current.hold(chunk.subarray(begin, read))
      position += read
    }
    const offset = inElement ? current.offset : position
    yield { offset, problem: { offset, reason: 'the file ends before its list does' } }
  } finally {
    fs.closeSync(fd)
  }
}

/** The bytes of the element that is being read, within limits. */
class HeldElement {
  offset = 0
  pieces: Buffer[] = []
  bytes = 0
  cutAt = CUT_BYTES
  tooLong = false

  begin(offset: number): void {
    this.offset = offset
    this.pieces = []
    this.bytes = 0
    this.cutAt = CUT_BYTES
    this.tooLong = false
  }

  hold(piece: Buffer): void {
    if (this.tooLong || piece.length === 0) return
    this.pieces.push(Buffer.from(piece))
    this.bytes += piece.length
    if (this.bytes < this.cutAt) return
    const cut = withoutBase64(Buffer.concat(this.pieces))
    this.pieces = [cut]
    this.bytes = cut.length
    this.cutAt = Math.max(CUT_BYTES, cut.length * 2)
    if (cut.length <= MAX_ELEMENT_BYTES) return
    this.tooLong = true
    this.pieces = []
  }

  end(piece: Buffer): Element {
    const { offset } = this
    const problem = (reason: string): Element => ({ offset, problem: { offset, reason } })
    if (this.tooLong) return problem(`longer than ${MAX_ELEMENT_BYTES >> 20} MB`)
    const whole = this.pieces.length === 0 ? piece : Buffer.concat([...this.pieces, piece])
    this.pieces = []
    const bytes = whole.length > 32_768 ? withoutBase64(whole) : whole
    if (bytes.length > MAX_ELEMENT_BYTES) return problem(`longer than ${MAX_ELEMENT_BYTES >> 20} MB`)
    try {
      return { offset, value: JSON.parse(bytes.toString('utf8')) }
    } catch {
      return problem('not valid JSON')
    }
  }
}

function isPadding(byte: number): boolean {
  return byte === 0 || byte === 32 || byte === 13 || byte === 9 || byte === 10
}
