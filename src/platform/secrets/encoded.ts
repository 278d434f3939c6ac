import { isWordCode } from './edges.ts'
import type { Reading } from './readings.ts'

/** Shorter than that, it holds no name and value. */
const LEAST = 24
/** In characters of base64. */
const MOST = 400_000

/** What is written in base64 and is a text: settings, headers, a command of PowerShell. */
export function decoded(text: string): Iterable<Reading> {
  const runs = runsIn(text)
  return runs.length > 0 ? readingsOf(text, runs) : []
}

function* readingsOf(text: string, runs: Run[]): Generator<Reading> {
  for (const { from, to } of runs) {
    const reading = readingOf(text, from, to)
    if (reading) yield reading
  }
}

interface Run {
  from: number
  to: number
}

/** What may be base64. */
function runsIn(text: string): Run[] {
  const runs: Run[] = []
  let end = 0
  // A run that is long enough has one of so many characters, so that most are not looked at.
  for (let at = LEAST - 1; at < text.length; at += LEAST) {
    if (!isPart(text.charCodeAt(at))) continue
    let from = at
    while (from > end && isPart(text.charCodeAt(from - 1))) from--
    const most = Math.min(text.length, from + MOST)
    while (at < most && isPart(text.charCodeAt(at))) at++
    end = at
    if (end - from >= LEAST && mayBeText(text, from)) runs.push({ from, to: end })
  }
  return runs
}

/** Most are names, paths and hashes. Of ASCII, every fourth is one of the first half; a letter or two may be another. */
function mayBeText(text: string, from: number): boolean {
  let others = 0
  for (let at = from; at < from + LEAST; at += 4)
    if (!isOfFirstHalf(text.charCodeAt(at)) && ++others > 2) return false
  return true
}

/** Letters, digits and `+/-_`, as they are asked for again and again. */
const PARTS = new Uint8Array(0x10000)
for (let code = 0; code < 128; code++)
  if (isWordCode(code) || '+/-'.includes(String.fromCharCode(code))) PARTS[code] = 1

function isPart(code: number): boolean {
  return PARTS[code] === 1
}

function readingOf(text: string, from: number, to: number): Reading | undefined {
  if (!isText(Buffer.from(text.slice(from, from + LEAST), 'base64'))) return undefined
  const bytes = Buffer.from(text.slice(from, to), 'base64')
  // In UTF-16, as PowerShell has it, every other byte is nothing.
  const size = bytes[1] === 0 ? 2 : 1
  const read = bytes.toString('latin1')
  return {
    text: size === 2 ? read.replace(/(.)\0/gs, '$1') : read,
    spans: (found) =>
      found.map((span) => ({
        ...span,
        from: from + Math.floor((span.from * size) / 3) * 4,
        to: Math.min(to, from + Math.ceil((span.to * size) / 3) * 4),
      })),
  }
}

function isOfFirstHalf(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 102)
}

/** Of ASCII and other letters, the last of which may be cut. */
function isText(bytes: Buffer): boolean {
  const isWide = bytes[1] === 0
  return bytes.every((byte, i) => {
    if (isWide && i % 2 === 1) return byte === 0
    if (byte < 128) return (byte > 31 && byte < 127) || byte === 10 || byte === 13 || byte === 9
    const last = bytes[i - 1] ?? 0
    return isWide ? byte >= 160 : byte >= 0xc3 ? byte < 0xf5 && last < 0xc3 : last >= 128
  })
}
