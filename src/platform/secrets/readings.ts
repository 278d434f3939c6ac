import type { Span } from './span.ts'

/**
 * A text as somebody reads it: without what programs put into it, or as the program does that it is for. What is found there is
 * told by where it is in the text that was given.
 */
export interface Reading {
  text: string
  spans(found: Span[]): Span[]
}

/** What is read otherwise than it is written. */
interface Piece {
  from: number
  to: number
  /** Nothing or one character. */
  by: string
}

/** Colours of a terminal, and signs that take no room: between a name and its value, or within both. */
const UNSEEN = '\\x1b\\[[\\d;]*[A-Za-z]|[\\u200b-\\u200d\\u2060\\ufeff\\u00ad]'
/** In an address within another, in JSON within JSON, in pages. */
const ESCAPES =
  '%(?:25)*[0-7][0-9A-Fa-f]|\\\\{1,64}u00[0-7][0-9A-Fa-f]|\\\\{2,64}["\'nrt/]|&(?:amp;)*(?:lt|gt|quot|apos|amp|#\\d{2,3}|#x[0-7][0-9A-Fa-f]);'
const WRITTEN = new RegExp(`${UNSEEN}|${ESCAPES}`, 'g')
/** Blanks and slashes alone hide nothing. */
const MAY_BE_WRITTEN = new RegExp(
  `${UNSEEN}|%(?:25)*(?:3[AaDd]|22|0[Aa])|\\\\u00|\\\\\\\\["'nrt]|&(?:amp;)*(?:lt|quot|#)`,
)
const NAMES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Most texts have nothing to be read otherwise, and are spared all but a look. */
const NONE: Reading[] = []

/** Without colours, and with the characters that escapes stand for: wherever there are some, with what is around them. */
export function unescaped(text: string): Iterable<Reading> {
  return MAY_BE_WRITTEN.test(text) ? clusters(text, escapesIn(text)) : NONE
}

function* escapesIn(text: string): Generator<Piece> {
  for (const { 0: piece, index } of text.matchAll(WRITTEN))
    yield { from: index, to: index + piece.length, by: meant(piece) }
}

function meant(piece: string): string {
  const [first] = piece
  if (first === '%' || /^\\+u/.test(piece)) return String.fromCharCode(Number.parseInt(piece.slice(-2), 16))
  if (first === '\\') return piece.replace(/^\\+/, '').replace(/[nrt]/, '\n')
  if (first !== '&') return ''
  const name = piece.slice(1, -1).split(';').at(-1)!
  if (!name.startsWith('#')) return NAMES[name]!
  return String.fromCharCode(Number(name.slice(1).replace(/^x/, '0x')))
}

/** Those of a string, and where one begins and ends: what stands in it is of lines of its own. */
const OF_STRINGS = /(?<!\\)(?:"|\\[nrt"])/g

/** With the lines that strings of JSON or of code hold, for what is told by the lines above it. */
export function linesOfStrings(text: string): Iterable<Reading> {
  return clusters(text, endsOfLinesIn(text))
}

function* endsOfLinesIn(text: string): Generator<Piece> {
  for (const { 0: piece, index } of text.matchAll(OF_STRINGS))
    yield { from: index, to: index + piece.length, by: BY[piece]! }
}

const BY: Record<string, string> = { '"': '\n', '\\n': '\n', '\\r': '', '\\t': '\t', '\\"': '"' }

/** `"…" + "…"`, two strings on lines of their own, and a line that goes on behind a backslash or, in JSON, behind `\\n`; most that end otherwise are sentences. */
const JOINT =
  /(?<=[\w-])(?:(\\?["'`])(?:[ \t]{0,4}(?:\+|\.\.?|&|<>|\|\|)[ \t]{0,4}(?:\r?\n[+-]?[ \t]{0,60})?|[ \t]{0,4}\r?\n[ \t]{0,60}(?:(?:\+|\.\.?|&|<>|\|\|)[ \t]{0,4})?)[bBfFrRuU]{0,2}\1|\\(?:\r?\n|(?:r\\)?n))(?=[\w-])/g
const MAY_BE_JOINED = new RegExp(JOINT.source)

/** With strings put together that stand apart; what is found in one of them is not told again. */
export function putTogether(text: string): Iterable<Reading> {
  return MAY_BE_JOINED.test(text) ? acrossOnly(clusters(text, jointsIn(text))) : NONE
}

function* jointsIn(text: string): Generator<Piece> {
  for (const { 0: piece, index } of text.matchAll(JOINT)) {
    const to = index + piece.length
    // Without a sign between them they may be of a list.
    const isSure = /^\\\r?\n|[+.&<|]/.test(piece)
    if (isSure || goesOnFrom(text, Math.max(0, index - 60), index, to) !== undefined)
      yield { from: index, to, by: '' }
  }
}

function* acrossOnly(readings: Iterable<Reading>): Generator<Reading> {
  for (const reading of readings) yield across(reading)
}

/** What is found over an edge only. */
function across(reading: Reading): Reading {
  return {
    ...reading,
    spans: (found) =>
      found.flatMap((span) => {
        const [given] = reading.spans([span])
        return given && given.to - given.from > span.to - span.from ? [given] : []
      }),
  }
}

/** How far a name is from its value. */
const NEAR = 400

/** At once, so that a long text that is full of them is not held a second time. */
const MOST_AT_ONCE = 5_000

/** Those that are near one another, with what is around them. */
function* clusters(text: string, pieces: Iterable<Piece>): Generator<Reading> {
  let near: Piece[] = []
  for (const piece of pieces) {
    const last = near.at(-1)
    if (last && (piece.from - last.to >= NEAR || near.length >= MOST_AT_ONCE)) {
      yield around(text, near)
      near = []
    }
    near.push(piece)
  }
  if (near.length > 0) yield around(text, near)
}

/** With the rest of their lines and the line before, as far as these are near. */
function around(text: string, pieces: Piece[]): Reading {
  const { from } = pieces[0]!
  const { to } = pieces.at(-1)!
  const before = text.slice(Math.max(0, from - NEAR), from)
  const line = before.lastIndexOf('\n', before.lastIndexOf('\n') - 1)
  const behind = text.slice(to, to + NEAR)
  const end = behind.indexOf('\n')
  return readingOf(
    text,
    from - before.length + (line < 0 ? 0 : line + 1),
    end < 0 ? to + behind.length : to + end,
    pieces,
  )
}

/** A part of a text. */
function readingOf(text: string, start: number, end: number, pieces: Piece[]): Reading {
  /** Where each is in what is read. */
  const places: number[] = []
  let read = ''
  let at = start
  for (const { from, to, by } of pieces) {
    read += text.slice(at, from)
    places.push(read.length)
    read += by
    at = to
  }
  /** Where a character begins and ends. */
  const given = (place: number): { from: number; to: number } => {
    const number = lastUpTo(places, place)
    const piece = pieces[number]
    const from = piece ? piece.to + place - places[number]! - piece.by.length : start + place
    return piece && place < places[number]! + piece.by.length ? piece : { from, to: from + 1 }
  }
  return {
    text: read + text.slice(at, end),
    spans: (spans) =>
      spans.map((span) => ({ ...span, from: given(span.from).from, to: given(span.to - 1).to })),
  }
}

/** The place of the last of them that is not more; before all of them -1. */
function lastUpTo(numbers: number[], most: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}

const LEAST_BEFORE = 8
const LEAST_BEHIND = 6
const LEAST_LINE = 20
const MOST = 400
/** With keys put together that a terminal or a mail broke over several lines. */
export function unwrapped(text: string): Iterable<Reading> {
  const breaks: Piece[][] = []
  let pieces: Piece[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    const piece = end - start < LEAST_LINE ? undefined : breakAt(text, start, end)
    if (piece) {
      if (pieces.length === 0) breaks.push(pieces)
      pieces.push(piece)
    } else if (pieces.length > 0) pieces = []
    start = end + 1
  }
  return breaks.length > 0 ? breaks.map((each) => across(around(text, each))) : NONE
}

/** The end of a line where a program broke it within a key. */
function breakAt(text: string, start: number, end: number): Piece | undefined {
  const from = edgeOf(text, end)
  if (!isPartCode(text.charCodeAt(from - 1))) return undefined
  let to = end + 1
  while (to - end < 64 && isMargin(text.charCodeAt(to))) to++
  const nextEnd = goesOnFrom(text, Math.max(start, from - 60), from, to)
  if (nextEnd === undefined) return undefined
  // Who breaks lines makes none longer than the one before.
  const most = to + end - start
  return most >= text.length || text.slice(nextEnd, most + 1).includes('\n')
    ? { from, to, by: '' }
    : undefined
}

/** Where what was drawn by lot ends, if it goes on over an edge. */
function goesOnFrom(text: string, start: number, from: number, to: number): number | undefined {
  let last = to
  let isMade = false
  for (let code = text.charCodeAt(last); last - to < MOST && isPartCode(code); code = text.charCodeAt(++last))
    if (code < 58 && code > 47) isMade = true
  // Most lines begin with a word.
  if (!isMade || last - to < LEAST_BEHIND) return undefined
  let first = from
  while (first > start && isPartCode(text.charCodeAt(first - 1))) first--
  if (from - first < LEAST_BEFORE) return undefined
  let next = last
  while (text.charCodeAt(next) === 61) next++
  if (!/[\s"'`,;)\]}\\│┃|]|^$/.test(text.charAt(next))) return undefined
  let dots = last
  while (text.charCodeAt(dots - 1) === 46) dots--
  return goesOn(text.slice(first, from), text.slice(to, dots)) ? last : undefined
}

/** Where a line ends without what a program put there where it broke it. */
function edgeOf(text: string, end: number): number {
  const from = text.charCodeAt(end - 1) === 13 ? end - 1 : end
  const last = text.charCodeAt(from - 1)
  if (last === EQUALS || last === BACKSLASH) return from - 1
  if (!isBar(last)) return from
  let edge = from - 1
  while (isMargin(text.charCodeAt(edge - 1))) edge--
  return edge
}

const EQUALS = 61
const BACKSLASH = 92

/** Blanks, the edge of a box, the sign of a quotation. */
function isMargin(code: number): boolean {
  return code === 32 || code === 9 || code === 62 || isBar(code)
}

function isBar(code: number): boolean {
  return code === 124 || code === 0x2502 || code === 0x2503
}

/** Letters, digits and `+/-_.`. */
function isPartCode(code: number): boolean {
  return isKeyCode(code) || code === 43 || (code >= 45 && code <= 47)
}

function isKeyCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
  )
}

/** Whether a line begins with the rest of what was drawn by lot, and with no word, name or hash of its own. */
function goesOn(last: string, next: string): boolean {
  if (/^[a-z]{3,}[_.-]|[_.-][a-z]{4,}(?:[_.-]|$)/.test(next)) return false
  // `getUserById2Name`: each capital begins a word.
  if (/[A-Z]/.test(next) && !/[A-Z](?![a-z])|\d{3}|[^A-Za-z0-9]/.test(next)) return false
  const end = last.slice(-12)
  if (/^[0-9a-f]+$/.test(next)) return /^[0-9a-f]{8,}$/.test(end) && /[a-f]/.test(next)
  let changes = 0
  for (let i = 1; i < next.length; i++)
    if (kindOf(next.charCodeAt(i)) !== kindOf(next.charCodeAt(i - 1))) changes++
  if (changes < 0.4 * (next.length - 1)) return false
  // Of one case only where what it goes on with is so, too.
  const [isLarge, isSmall] = [/[A-Z]/.test(next), /[a-z]/.test(next)]
  return (isLarge && isSmall) || (isLarge ? !/[a-z]/.test(end) : !/[A-Z]/.test(end))
}

/** A digit, a small letter, a capital, another sign. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 0
  if (code >= 97 && code <= 122) return 1
  return code >= 65 && code <= 90 ? 2 : 3
}
