import { isMixed, isWords } from './chance.ts'
import { joined, type Span } from './span.ts'

/**
 * The secrets that a chat is known to hold, as lengths and keyed hashes: enough to find them again where they
 * are said without a name, not enough to tell what they are.
 */
export class Seen {
  readonly key: number
  /** Hashes by length. */
  readonly #marks = new Map<number, Set<number>>()

  constructor(key: number) {
    this.key = key >>> 0
  }

  get size(): number {
    let size = 0
    for (const marks of this.#marks.values()) size += marks.size
    return size
  }

  /** Only what cannot be an ordinary word or number is looked for elsewhere. */
  add(secret: string): void {
    if (isTelling(secret)) this.addMark(secret.length, this.markOf(secret))
  }

  /** 48 bits by which a text is known again in this archive. */
  markOf(text: string): number {
    return markOf(text, this.key)
  }

  addMark(length: number, mark: number): void {
    const marks = this.#marks.get(length) ?? new Set()
    marks.add(mark)
    this.#marks.set(length, marks)
  }

  *marks(): Generator<{ length: number; mark: number }> {
    for (const [length, marks] of this.#marks) for (const mark of marks) yield { length, mark }
  }

  with(others: Iterable<{ length: number; mark: number }>): Seen {
    const both = new Seen(this.key)
    for (const from of [this.marks(), others]) for (const { length, mark } of from) both.addMark(length, mark)
    return both
  }

  /** Where they are in a text. Cost: one pass over it for each different length. */
  spansIn(text: string): Span[] {
    const spans: Span[] = []
    for (const [length, marks] of this.#marks) findIn(text, length, marks, this.key, spans)
    return spans.length < 2 ? spans : joined(spans)
  }
}

const SHORTEST = 8
const LONGEST = 500
const LEAST_DIFFERENT = 5

export function isTelling(secret: string): boolean {
  if (secret.length < SHORTEST || secret.length > LONGEST || /\s/.test(secret)) return false
  if (new Set(secret).size < LEAST_DIFFERENT) return false
  // Many words joined are a passphrase, few of them a name.
  if (/^\p{L}+(?:-\p{L}+){3,}$/u.test(secret)) return secret.length >= 20
  return isMixed(secret) && (!isWords(secret) || secret.length >= 20)
}

/** Whether a text may hold one at all: eight characters in a row, of which one is a letter and one is none. */
export function mayHold(text: string): boolean {
  let run = 0
  let letter = false
  let other = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32) {
      run = 0
      letter = false
      other = false
      continue
    }
    run++
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127) letter = true
    else other = true
    if (run >= SHORTEST && letter && other) return true
  }
  return false
}

const FIRST = 0x01000193
const SECOND = 0x85ebca6b

/** 48 bits that depend on every character and on the key. */
function markOf(text: string, key: number): number {
  const [a, b] = bases(key)
  let x = 0
  let y = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) + 1
    x = (Math.imul(x, a) + code) | 0
    y = (Math.imul(y, b) + code) | 0
  }
  return folded(x, y, key)
}

function findIn(text: string, length: number, marks: Set<number>, key: number, spans: Span[]): void {
  if (text.length < length) return
  const [a, b] = bases(key)
  // What the first character of a window has become when the last one is taken in.
  let firstA = 1
  let firstB = 1
  for (let i = 1; i < length; i++) {
    firstA = Math.imul(firstA, a)
    firstB = Math.imul(firstB, b)
  }
  let x = 0
  let y = 0
  for (let i = 0; i < text.length; i++) {
    if (i >= length) {
      const gone = text.charCodeAt(i - length) + 1
      x = (x - Math.imul(gone, firstA)) | 0
      y = (y - Math.imul(gone, firstB)) | 0
    }
    const code = text.charCodeAt(i) + 1
    x = (Math.imul(x, a) + code) | 0
    y = (Math.imul(y, b) + code) | 0
    if (i >= length - 1 && marks.has(folded(x, y, key)))
      spans.push({ from: i - length + 1, to: i + 1, kind: 'secret' })
  }
}

/** Odd, so that no character is lost, and of this archive. */
function bases(key: number): [number, number] {
  return [(FIRST ^ key) | 1, (SECOND ^ Math.imul(key, 0x9e3779b1)) | 1]
}

function folded(x: number, y: number, key: number): number {
  return ((x ^ key) >>> 0) * 65_536 + ((y >>> 16) ^ (y & 0xffff))
}
