import { isWordCode } from './edges.ts'
import type { Reading } from './readings.ts'

/** Shorter than that, it holds no name and value. */
const LEAST = 24
/** In characters of base64. */
const MOST = 400_000

/** What is written in base64 and is a text: settings, headers, a command of PowerShell. */
export function* decoded(text: string): Generator<Reading> {
  for (let at = 0; at + LEAST <= text.length; ) {
    const gap = gapIn(text, at)
    if (gap >= 0) {
      at = gap + 1
      continue
    }
    let to = at + LEAST
    while (to - at < MOST && isPart(text.charCodeAt(to))) to++
    const reading = readingOf(text, at, to)
    if (reading) yield reading
    at = to
  }
}

/** From the end on, so that most characters of words are not looked at. */
function gapIn(text: string, at: number): number {
  for (let i = at + LEAST - 1; i >= at; i--) if (!isPart(text.charCodeAt(i))) return i
  return -1
}

/** Letters, digits and `+/-_`. */
function isPart(code: number): boolean {
  return isWordCode(code) || code === 43 || code === 47 || code === 45
}

function readingOf(text: string, from: number, to: number): Reading | undefined {
  // Most are names, paths and hashes. Of ASCII, every fourth is one of the first half.
  for (let at = from; at < from + LEAST; at += 4) if (!isOfFirstHalf(text.charCodeAt(at))) return undefined
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

function isText(bytes: Buffer): boolean {
  const isWide = bytes[1] === 0
  return bytes.every((byte, i) =>
    isWide && i % 2 === 1
      ? byte === 0
      : (byte > 31 && byte < 127) || byte === 10 || byte === 13 || byte === 9,
  )
}
