import { i32At, setI32 } from './numbers.as'

type Place = usize

// The words of a text by their numbers: words.ts says what each loop does, and names the places of its state.

const NEXT: i32 = 0
const BEFORE: i32 = 1
const COUNT: i32 = 2
const LENGTH: i32 = 3
const TABLE: i32 = 4
const MASK: i32 = 5
const FOUND: i32 = 6
const ROOM: i32 = 7
const PARTS: i32 = 8
const KINDS: i32 = 9
const START: i32 = 10
const END: i32 = 11
const KIND: i32 = 12
const FIRST: i32 = 13
const SECOND: i32 = 14
const AT: i32 = 15

const DONE: i32 = 0
const NEW_WORD: i32 = 1
const NEW_CHARACTER: i32 = 2
const NO_ROOM: i32 = 3

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

/** Where a word with these letters is in the table; -1 where it is not, which is noted. */
function find(state: Place, start: i32, end: i32, kind: i32, letters: i32, more: i32): i32 {
  const first = letters ^ (more >>> 15)
  const second = more ^ (end - start)
  const table = <Place>i32At(state, TABLE)
  const mask = i32At(state, MASK)
  let at = ((first ^ (first >>> 16)) << 2) & mask
  for (;;) {
    if (i32At(table, at + 3) === 0) break
    if (i32At(table, at) === first && i32At(table, at + 1) === second) return at
    at = (at + 4) & mask
  }
  setI32(state, START, start)
  setI32(state, END, end)
  setI32(state, KIND, kind)
  setI32(state, FIRST, first)
  setI32(state, SECOND, second)
  setI32(state, AT, at)
  return -1
}

/** The same for one or two characters of a run. */
function findInRun(state: Place, text: Place, start: i32, end: i32, kind: i32): i32 {
  let first = <i32>0x811c9dc5 ^ kind
  let second = kind
  for (let i = start; i < end; i++) {
    const unit = unitAt(text, i)
    first = (first ^ unit) * 0x01000193
    second = second * 31 + unit + 1
  }
  return find(state, start, end, kind, first, second)
}

/** Whether there is room for the terms of the word at a place of the table: they are found then. */
function took(state: Place, at: i32): bool {
  const table = <Place>i32At(state, TABLE)
  const known = i32At(table, at + 3)
  const terms = (known >> 1) - 1
  const count = i32At(state, COUNT)
  if (count + terms > i32At(state, ROOM)) return false
  const found = <Place>i32At(state, FOUND)
  const from = i32At(table, at + 2)
  if (terms === 1) setI32(found, count, from)
  else {
    const parts = <Place>i32At(state, PARTS)
    for (let i: i32 = 0; i < terms; i++) setI32(found, count + i, i32At(parts, from + i))
  }
  setI32(state, COUNT, count + terms)
  if ((known & 1) === 0) setI32(state, LENGTH, i32At(state, LENGTH) + terms)
  return true
}

function stopped(state: Place, next: i32, why: i32): i32 {
  setI32(state, NEXT, next)
  return why
}

function newCharacter(state: Place, next: i32, at: i32): i32 {
  setI32(state, AT, at)
  return stopped(state, next, NEW_CHARACTER)
}

export function readWords(state: Place, text: Place, length: i32): i32 {
  const kinds = <Place>i32At(state, KINDS)
  let i = i32At(state, NEXT)
  let before = i32At(state, BEFORE)
  while (i < length) {
    const start = i
    let unit = unitAt(text, i)
    let kind = kindAt(kinds, text, i, length)
    if (kind === UNKNOWN) return newCharacter(state, start, i)
    if (kind === UNSPACED) {
      const end = i + 1 + i32(isHighHalf(unit))
      const one = findInRun(state, text, i, end, 1)
      if (one < 0) return stopped(state, start, NEW_WORD)
      const two = before < 0 ? -1 : findInRun(state, text, before, end, 2)
      if (before >= 0 && two < 0) return stopped(state, start, NEW_WORD)
      const count = i32At(state, COUNT)
      const said = i32At(state, LENGTH)
      if (!took(state, one) || (two >= 0 && !took(state, two))) {
        setI32(state, COUNT, count)
        setI32(state, LENGTH, said)
        return stopped(state, start, NO_ROOM)
      }
      before = i
      setI32(state, BEFORE, before)
      i = end
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
        if (kind === UNKNOWN) return newCharacter(state, start, i)
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
            if (kindOfNext === UNKNOWN) return newCharacter(state, start, i + 1)
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
    const at = find(state, start, i, 0, first, second)
    if (at < 0) return stopped(state, start, NEW_WORD)
    if (!took(state, at)) return stopped(state, start, NO_ROOM)
  }
  return DONE
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
