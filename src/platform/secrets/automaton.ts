/**
 * Finds many words in one pass over a text (Aho–Corasick over UTF-16 code units, letters folded):
 * the cost does not depend on how many words there are.
 */
export interface Automaton {
  /** Calls back with the number of each word and where it ends, from left to right; within a part of the text, where one is given. */
  scan(text: string, found: (word: number, end: number) => void, from?: number, to?: number): void
}

/** What a text has led to so far: the beginning of some words, the longest that the text ends with. */
interface State {
  length: number
  /** The words that begin so. */
  words: number[]
  /** The next shorter beginning that the text ends with as well. */
  shorter: number
  /** The words that end here. */
  found: number[]
}

/** In the table: where this leads was not asked yet. */
const UNMADE = 1

/**
 * A state is made when a text first leads to it: of the thousands that all words have, few texts lead to more than some hundred, and
 * a process that searches once need not wait for the others. Those that texts are mostly in are the first in the table, and so stay in
 * the processor's cache.
 */
export function automaton(words: readonly string[]): Automaton {
  const columns = columnsOf(words)
  const shift = Math.ceil(Math.log2(columns.width))
  const most = words.reduce((sum, word) => sum + word.length, 1)
  const Table = 2 * most > 65_535 ? Uint32Array : Uint16Array
  const states: State[] = []
  /** A row for each state, an entry for each column: twice the number of the next state, and one more where a word ends. */
  let rows: Uint16Array | Uint32Array = new Table(64 << shift)
  addState(0, [...words.keys()], 0)

  /** Its row is that of the shorter beginning, but for the letters that lead on. */
  function addState(length: number, beginning: number[], shorter: number): number {
    const state = states.length
    const row = state << shift
    if (row === rows.length) {
      const larger = new Table(rows.length * 2)
      larger.set(rows)
      rows = larger
    }
    if (state > 0) rows.copyWithin(row, shorter << shift, (shorter + 1) << shift)
    const found: number[] = []
    for (const word of beginning) {
      if (words[word]!.length === length) found.push(word)
      else rows[row | columns.of[words[word]!.charCodeAt(length)]!] = UNMADE
    }
    if (state > 0) found.push(...states[shorter]!.found)
    states.push({ length, words: beginning, shorter, found })
    return state
  }

  /** The entry for a letter after a state. */
  function entryOf(state: number, column: number): number {
    const at = (state << shift) | column
    const known = rows[at]!
    if (known !== UNMADE) return known
    const { length, words: beginning, shorter } = states[state]!
    const longer = beginning.filter(
      (word) => words[word]!.length > length && columns.of[words[word]!.charCodeAt(length)] === column,
    )
    const afterShorter = state === 0 ? 0 : entryOf(shorter, column)
    let entry = afterShorter
    if (longer.length > 0) {
      const next = addState(length + 1, longer, afterShorter >> 1)
      entry = 2 * next + (states[next]!.found.length > 0 ? 1 : 0)
    }
    rows[at] = entry
    return entry
  }

  return {
    scan(text, report, from = 0, to = text.length) {
      let table = rows
      let entry = 0
      for (let i = from; i < to; i++) {
        const column = columns.of[text.charCodeAt(i)]!
        const before = entry >> 1
        entry = table[(before << shift) | column]!
        if ((entry & 1) === 0) continue
        if (entry === UNMADE) entry = entryOf(before, column)
        if ((entry & 1) === 1) for (const word of states[entry >> 1]!.found) report(word, i + 1)
        table = rows
      }
    },
  }
}

/** A column for each letter that occurs in a word, capital and small in one; 0 for all others. */
function columnsOf(words: readonly string[]): { of: Uint8Array; width: number } {
  const of = new Uint8Array(65_536)
  let width = 1
  for (const letter of new Set(words.join('').toLowerCase())) {
    of[letter.charCodeAt(0)] = width
    of[letter.toUpperCase().charCodeAt(0)] = width
    width++
  }
  return { of, width }
}
