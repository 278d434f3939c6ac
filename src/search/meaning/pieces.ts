import { FIRST_HASH, type MeaningTable, nextCheck, nextHash, rowOf, SECOND_HASH } from './table.ts'

/**
 * Takes texts apart into the words of the table, and what is not in it into the longest parts that are. No
 * string is made of a word: its letters are hashed where they stand. Words are runs of letters, and runs of
 * digits; Chinese is cut into the longest words known.
 */
export interface Pieces {
  /** The rows of the text that was read last, each once. Only the first `count` are meant. */
  rows: Int32Array
  /** Where the word that each comes from stands in the text. */
  from: Int32Array
  to: Int32Array
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
/** Parts of words that are not in the table, by their hashes; forgotten when they are too many. */
const MOST_KEPT = 20_000

export function pieceReader(table: MeaningTable): PieceReader {
  const [rows, from, to] = [new Int32Array(256), new Int32Array(256), new Int32Array(256)]
  const pieces: Pieces = { rows, from, to, count: 0, text: '' }
  // In which text each row was met last.
  const met = new Uint32Array(table.rows)
  const unknown = new Map<number, number[]>()
  let now = 0

  const take = (row: number, start: number, end: number) => {
    if (met[row] === now) return
    met[row] = now
    if (pieces.count === pieces.rows.length) {
      pieces.rows = twice(pieces.rows)
      pieces.from = twice(pieces.from)
      pieces.to = twice(pieces.to)
    }
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
      let hash = FIRST_HASH
      let check = SECOND_HASH
      if (i > start && !isHan)
        for (let sign = 0; sign < 2; sign++) {
          hash = nextHash(hash, 35)
          check = nextCheck(check, 35)
        }
      const last = Math.min(end, i + (isHan ? LONGEST_HAN : LONGEST_PART))
      let found = -1
      let after = i + 1
      for (let j = i; j < last; j++) {
        hash = nextHash(hash, text.charCodeAt(j))
        check = nextCheck(check, text.charCodeAt(j))
        const row = rowOf(table, hash, check)
        if (row < 0) continue
        found = row
        after = j + 1
      }
      if (found >= 0) part(found, i, after)
      i = after
    }
  }

  return {
    read(given) {
      const text = plain(given)
      pieces.text = text
      pieces.count = 0
      now = (now + 1) >>> 0
      const { length } = text
      for (let i = 0; i < length; ) {
        const kind = kindOf(text.charCodeAt(i))
        if (kind === OTHER) {
          i++
          continue
        }
        const start = i
        let hash = FIRST_HASH
        let check = SECOND_HASH
        for (; i < length; i++) {
          const code = text.charCodeAt(i)
          if (kindOf(code) !== kind) break
          hash = nextHash(hash, code)
          check = nextCheck(check, code)
        }
        const row = rowOf(table, hash, check)
        if (row >= 0) take(row, start, i)
        else if (kind === HAN) split(text, start, i, true, take)
        else {
          const key = (hash >>> 0) * 0x10000 + check
          let parts = unknown.get(key)
          if (!parts) {
            const list: number[] = []
            split(text, start, Math.min(i, start + LONGEST), false, (part) => list.push(part))
            parts = list
            if (unknown.size >= MOST_KEPT) unknown.clear()
            unknown.set(key, parts)
          }
          for (const part of parts) take(part, start, i)
        }
      }
      return pieces
    },
  }
}

/** In small letters, `camelCase` as two words. */
function plain(text: string): string {
  const isAscii = /^[\x00-\x7f]*$/.test(text)
  const one = isAscii ? text : text.normalize('NFKC')
  const small = one.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase()
  return isAscii ? small : small.replaceAll('ё', 'е')
}

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const HAN = 3
const IS_LETTER = /[\p{L}\p{No}\p{Nl}]/u
const IS_DIGIT = /\p{Nd}/u

/** What each character of the basic plane is; 255 until it is met. Others are rare, and no words here. */
const KINDS = new Uint8Array(65_536).fill(255)

function kindOf(code: number): number {
  const known = KINDS[code]!
  if (known !== 255) return known
  const character = String.fromCharCode(code)
  const isHan = (code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff)
  const kind = isHan ? HAN : IS_LETTER.test(character) ? LETTER : IS_DIGIT.test(character) ? DIGIT : OTHER
  KINDS[code] = kind
  return kind
}

function twice(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2)
  larger.set(list)
  return larger
}
