import { i32At, setI32 } from './numbers.as'
import {
  AT,
  BEFORE,
  COUNT,
  DONE,
  EACH,
  FOUND,
  KINDS,
  LENGTH,
  MASK,
  MOST,
  NEW_CHARACTER,
  NEW_WORD,
  NEXT,
  NO_ROOM,
  PARTS,
  ROOM,
  SEEN,
  TABLE,
  TAKEN,
  WORDS,
} from './words-places'

type Place = usize

// The words of a text by their numbers: words.ts says what each loop does.

/** Of a word that was seen: its start and end in the text, what it is, its two hashes. */
const START: i32 = 0
const END: i32 = 1
const KIND: i32 = 2
const FIRST: i32 = 3
const SECOND: i32 = 4

const UNKNOWN: i32 = 0
const OTHER: i32 = 1
const WORD: i32 = 2
const UNSPACED: i32 = 3

const DOT: i32 = 46
const APOSTROPHE: i32 = 39
const QUOTE: i32 = 0x2019

function unitAt(text: Place, i: i32): i32 {
  return <i32>load<u16>(text + ((<usize>i) << 1))
}

function isHighHalf(unit: i32): bool {
  return (unit & 0xfc00) === 0xd800
}

function isDigit(unit: i32): bool {
  return unit >= 48 && unit <= 57
}

/** What stands there. */
function kindAt(kinds: Place, text: Place, i: i32, length: i32): i32 {
  let code = unitAt(text, i)
  if (isHighHalf(code) && i + 1 < length) {
    const low = unitAt(text, i + 1)
    if ((low & 0xfc00) === 0xdc00) code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
  }
  return <i32>load<u8>(kinds + <usize>code)
}

function see(word: Place, start: i32, end: i32, kind: i32, first: i32, second: i32): void {
  setI32(word, START, start)
  setI32(word, END, end)
  setI32(word, KIND, kind)
  setI32(word, FIRST, first ^ (second >>> 15))
  setI32(word, SECOND, second ^ (end - start))
}

/** One or two characters of a run. */
function seeInRun(word: Place, text: Place, start: i32, end: i32, kind: i32): void {
  let first = <i32>0x811c9dc5 ^ kind
  let second = kind
  for (let i = start; i < end; i++) {
    const unit = unitAt(text, i)
    first = (first ^ unit) * 0x01000193
    second = second * 31 + unit + 1
  }
  see(word, start, end, kind, first, second)
}

function wordAt(state: Place, i: i32): Place {
  return state + ((<usize>(WORDS + i * EACH)) << 2)
}

function newCharacter(state: Place, next: i32, seen: i32, at: i32): i32 {
  setI32(state, NEXT, next)
  setI32(state, SEEN, seen)
  setI32(state, AT, at)
  return NEW_CHARACTER
}

/** Looks the words up that were seen. */
function take(state: Place): i32 {
  const table = <Place>i32At(state, TABLE)
  const mask = i32At(state, MASK)
  const found = <Place>i32At(state, FOUND)
  const parts = <Place>i32At(state, PARTS)
  const room = i32At(state, ROOM)
  const seen = i32At(state, SEEN)
  let count = i32At(state, COUNT)
  let length = i32At(state, LENGTH)
  let why = DONE
  let taken = i32At(state, TAKEN)
  for (; taken < seen; taken++) {
    const word = wordAt(state, taken)
    const first = i32At(word, FIRST)
    const second = i32At(word, SECOND)
    let at = ((first ^ (first >>> 16)) << 2) & mask
    let known = i32At(table, at + 3)
    while (known !== 0 && (i32At(table, at) !== first || i32At(table, at + 1) !== second)) {
      at = (at + 4) & mask
      known = i32At(table, at + 3)
    }
    if (known === 0) {
      why = NEW_WORD
      break
    }
    const terms = (known >> 1) - 1
    if (count + terms > room) {
      why = NO_ROOM
      break
    }
    const from = i32At(table, at + 2)
    if (terms === 1) setI32(found, count, from)
    else for (let i: i32 = 0; i < terms; i++) setI32(found, count + i, i32At(parts, from + i))
    count += terms
    if ((known & 1) === 0) length += terms
  }
  setI32(state, TAKEN, taken)
  setI32(state, COUNT, count)
  setI32(state, LENGTH, length)
  return why
}

export function readWords(state: Place, text: Place, length: i32): i32 {
  const kinds = <Place>i32At(state, KINDS)
  let why = take(state)
  while (why === DONE) {
    let i = i32At(state, NEXT)
    if (i >= length) break
    let before = i32At(state, BEFORE)
    let seen: i32 = 0
    setI32(state, TAKEN, 0)
    while (i < length && seen < MOST) {
      const start = i
      let unit = unitAt(text, i)
      let kind = kindAt(kinds, text, i, length)
      if (kind === UNKNOWN) return newCharacter(state, start, seen, i)
      if (kind === UNSPACED) {
        i += 1 + i32(isHighHalf(unit))
        seeInRun(wordAt(state, seen++), text, start, i, 1)
        if (before >= 0) seeInRun(wordAt(state, seen++), text, before, i, 2)
        before = start
        setI32(state, BEFORE, before)
        continue
      }
      if (before >= 0) {
        before = -1
        setI32(state, BEFORE, before)
      }
      if (kind === OTHER) {
        i += 1 + i32(isHighHalf(unit))
        continue
      }
      let first = (<i32>0x811c9dc5 ^ unit) * 0x01000193
      let second = unit + 1
      i++
      let hasApostrophe = false
      // Of a character in two halves the second has no kind of its own.
      let isSecondHalf = isHighHalf(unit)
      while (i < length) {
        unit = unitAt(text, i)
        if (!isSecondHalf) {
          kind = kindAt(kinds, text, i, length)
          if (kind === UNKNOWN) return newCharacter(state, start, seen, i)
          if (kind !== WORD) {
            if (i + 1 === length) break
            const last = unitAt(text, i - 1)
            const next = unitAt(text, i + 1)
            if (unit === DOT) {
              if (!isDigit(last) || !isDigit(next)) break
            } else {
              if ((unit !== APOSTROPHE && unit !== QUOTE) || hasApostrophe) break
              if (isDigit(last) || kindAt(kinds, text, i - 1, length) !== WORD) break
              const kindOfNext = kindAt(kinds, text, i + 1, length)
              if (kindOfNext === UNKNOWN) return newCharacter(state, start, seen, i + 1)
              if (isDigit(next) || kindOfNext !== WORD) break
              hasApostrophe = true
            }
            first = (first ^ unit) * 0x01000193
            second = second * 31 + unit + 1
            unit = next
            i++
          } else isSecondHalf = isHighHalf(unit)
        } else isSecondHalf = false
        first = (first ^ unit) * 0x01000193
        second = second * 31 + unit + 1
        i++
      }
      see(wordAt(state, seen++), start, i, 0, first, second)
    }
    setI32(state, NEXT, i)
    setI32(state, SEEN, seen)
    why = take(state)
  }
  return why
}

export function countWords(
  found: Place,
  count: i32,
  places: Place,
  terms: Place,
  counts: Place,
  start: i32,
): i32 {
  let size = start
  for (let i: i32 = 0; i < count; i++) {
    const term = i32At(found, i)
    const place = i32At(places, term)
    if (place > 0) setI32(counts, start + place - 1, i32At(counts, start + place - 1) + 1)
    else {
      setI32(terms, size, term)
      setI32(counts, size, 1)
      size++
      setI32(places, term, size - start)
    }
  }
  for (let i = start; i < size; i++) setI32(places, i32At(terms, i), 0)
  return size
}
