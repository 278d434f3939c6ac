import { isWordCharacter, knownKinds } from '../../model/scan.ts'
import { type Ints, ints, longer } from '../../platform/loops/memory.ts'
import { FIRST_HASH, hashOf, type MeaningTable, nextHash, rowOf } from './table.ts'

/**
 * Takes texts apart into the words of the table, and what is not in it into the longest parts that are. No
 * string is made of a word: its letters are hashed where they stand. Words are runs of letters, and runs of
 * digits; Chinese is cut into the longest words known.
 */
interface Pieces {
  /** The rows of the text that was read last, each once. Only the first `count` are meant. */
  rows: Ints
  /** Where the word that each comes from stands in the text. */
  from: number[]
  to: number[]
  count: number
  /** That text, in small letters. */
  text: string
}

export interface PieceReader {
  read(text: string): Pieces
}

const LONGEST = 40
const LONGEST_PART = 20
const LONGEST_HAN = 5
/** Words that are not in the table whose parts are kept, each at a place that its hash says; of more parts they are found again. */
const KEPT = 8_192
const MOST_PARTS = 8
const NONE = 255
const RECENT = 2_048
/** Parts that go on with a word are written so in the table. */
const GOES_ON = hashOf('##')

export function pieceReader(table: MeaningTable): PieceReader {
  const pieces: Pieces = { rows: ints(256), from: [], to: [], count: 0, text: '' }
  // In which text each row was met last.
  const met = new Uint32Array(table.rows)
  const kept = new Int32Array(KEPT)
  const keptCount = new Uint8Array(KEPT).fill(NONE)
  const keptParts = new Int32Array(KEPT * MOST_PARTS)
  let now = 0

  const take = (row: number, start: number, end: number) => {
    if (met[row] === now) return
    met[row] = now
    if (pieces.count === pieces.rows.length) pieces.rows = longer(pieces.rows, pieces.count * 2)
    pieces.rows[pieces.count] = row
    pieces.from[pieces.count] = start
    pieces.to[pieces.count++] = end
  }

  /** The longest pieces one after the other: the first as it begins a word, those after it as they go on. */
  const split = (
    text: string,
    start: number,
    end: number,
    isHan: boolean,
    part: (row: number, from: number, to: number) => void,
  ) => {
    for (let i = start; i < end; ) {
      let hash = i > start && !isHan ? GOES_ON : FIRST_HASH
      const last = Math.min(end, i + (isHan ? LONGEST_HAN : LONGEST_PART))
      let found = -1
      let after = i + 1
      for (let j = i; j < last; j++) {
        hash = nextHash(hash, text.charCodeAt(j))
        const row = rowOf(table, hash)
        if (row < 0) continue
        found = row
        after = j + 1
      }
      if (found >= 0) part(found, i, after)
      i = after
    }
  }

  /** Takes the parts of a word that is not in the table. */
  const takeParts = (text: string, start: number, end: number, hash: number) => {
    const at = (hash ^ (hash >>> 15)) & (KEPT - 1)
    const first = at * MOST_PARTS
    const last = Math.min(end, start + LONGEST)
    if (keptCount[at] === NONE || kept[at] !== hash) {
      let count = 0
      split(text, start, last, false, (part) => {
        if (count < MOST_PARTS) keptParts[first + count] = part
        count++
      })
      kept[at] = hash
      keptCount[at] = count > MOST_PARTS ? NONE : count
    }
    if (keptCount[at] === NONE) split(text, start, last, false, (part) => take(part, start, end))
    else for (let i = 0; i < keptCount[at]!; i++) take(keptParts[first + i]!, start, end)
  }

  // The row of a word met before, by its hash: most words are common ones.
  const recent = new Int32Array(RECENT)
  const recentRow = new Int32Array(RECENT).fill(-1)
  const rowOfHash = (hash: number): number => {
    const at = (hash ^ (hash >>> 15)) & (RECENT - 1)
    if (recent[at] !== hash) {
      recent[at] = hash
      recentRow[at] = rowOf(table, hash)
    }
    return recentRow[at]!
  }

  return {
    read(given) {
      const text = plain(given)
      pieces.text = text
      pieces.count = 0
      now = (now + 1) >>> 0
      const { length } = text
      let code = length > 0 ? text.charCodeAt(0) : 0
      for (let i = 0; i < length; ) {
        const kind = kindOf(code)
        const start = i
        let hash = FIRST_HASH
        do {
          hash = nextHash(hash, code)
          code = text.charCodeAt(++i)
        } while (i < length && kindOf(code) === kind)
        if (kind === OTHER) continue
        const row = rowOfHash(hash)
        if (row >= 0) take(row, start, i)
        else if (kind === HAN) split(text, start, i, true, take)
        else takeParts(text, start, i, hash)
      }
      return pieces
    },
  }
}

/** In small letters, `camelCase` as two words. */
function plain(text: string): string {
  const isAscii = /^[\x00-\x7f]*$/.test(text)
  const one = isAscii ? text : text.normalize('NFKC')
  const small = (CAMEL.test(one) ? one.replace(CAMELS, '$1 ') : one).toLowerCase()
  return isAscii ? small : small.replaceAll('ё', 'е')
}

const CAMEL = /[a-z][A-Z]/
const CAMELS = /([a-z])(?=[A-Z])/g
const OTHER = 0
const LETTER = 1
const DIGIT = 2
const HAN = 3
const IS_LETTER = /[\p{L}\p{No}\p{Nl}]/u
const IS_DIGIT = /\p{Nd}/u

/** What each character of the basic plane is; 255 until it is met. Others are rare, and no words here. */
const KINDS = new Uint8Array(65_536).fill(255)
for (const [from, to, kind] of knownKinds()) KINDS.fill(kind > 0 ? LETTER : OTHER, from, to + 1)
KINDS.fill(HAN, 0x4e00, 0x9fff + 1)
for (let code = 0; code < 128; code++)
  KINDS[code] =
    code >= 48 && code <= 57 ? DIGIT : isWordCharacter(String.fromCharCode(code), 0) ? LETTER : OTHER

function kindOf(code: number): number {
  const known = KINDS[code]!
  if (known !== 255) return known
  const character = String.fromCharCode(code)
  const isHan = (code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff)
  const kind = isHan ? HAN : IS_LETTER.test(character) ? LETTER : IS_DIGIT.test(character) ? DIGIT : OTHER
  KINDS[code] = kind
  return kind
}
