/**
 * Finds many words in one pass over a text (Aho–Corasick over UTF-16 code units, letters folded):
 * the cost does not depend on how many words there are.
 */
export interface Automaton {
  /** Calls back with the number of each word and where it ends, from left to right; within a part of the text, where one is given. */
  scan(text: string, found: (word: number, end: number) => void, from?: number, to?: number): void
}

export function automaton(words: readonly string[]): Automaton {
  const columns = columnsOf(words)
  const width = columns.width
  const states = words.reduce((sum, word) => sum + word.length, 1)
  const next = new Uint16Array(states * width)
  const found: number[][] = [[]]
  const fallback = new Uint16Array(states)
  let count = 1
  words.forEach((word, number) => {
    let state = 0
    for (let i = 0; i < word.length; i++) {
      const at = state * width + (columns.of[word.charCodeAt(i)] as number)
      if (next[at] === 0) {
        next[at] = count++
        found.push([])
      }
      state = next[at] as number
    }
    found[state]?.push(number)
  })
  // Breadth first, so that the shorter beginning that a state falls back to is complete already.
  const queue: number[] = []
  for (let column = 0; column < width; column++) if (next[column]) queue.push(next[column] as number)
  for (let read = 0; read < queue.length; read++) {
    const state = queue[read] as number
    const shorter = fallback[state] as number
    found[state]?.push(...(found[shorter] ?? []))
    for (let column = 0; column < width; column++) {
      const at = state * width + column
      const afterShorter = next[shorter * width + column] as number
      if (next[at] === 0) next[at] = afterShorter
      else {
        fallback[next[at] as number] = afterShorter
        queue.push(next[at] as number)
      }
    }
  }
  const { rows, shift, numbers } = inOrder(next, width, [0, ...queue], found)
  return {
    scan(text, report, from = 0, to = text.length) {
      let state = 0
      for (let i = from; i < to; i++) {
        state = rows[((state >> 1) << shift) | (columns.of[text.charCodeAt(i)] as number)] as number
        if ((state & 1) === 1)
          for (const word of found[numbers[state >> 1] as number] as number[]) report(word, i + 1)
      }
    },
  }
}

/**
 * The same table with the states that a text is mostly in at its beginning, as small as it can be, so that it stays in
 * the processor's cache. An entry is twice the number of the next state, and one more where a word ends.
 */
function inOrder(
  next: Uint16Array,
  width: number,
  order: number[],
  found: number[][],
): { rows: Uint16Array | Uint32Array; shift: number; numbers: number[] } {
  const shift = Math.ceil(Math.log2(width))
  const places = new Uint32Array(order.length)
  for (const [place, state] of order.entries())
    places[state] = 2 * place + ((found[state] as number[]).length > 0 ? 1 : 0)
  const rows = new (2 * order.length > 65_535 ? Uint32Array : Uint16Array)(order.length << shift)
  for (const [place, state] of order.entries())
    for (let column = 0; column < width; column++)
      rows[(place << shift) | column] = places[next[state * width + column] as number] as number
  return { rows, shift, numbers: order }
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
