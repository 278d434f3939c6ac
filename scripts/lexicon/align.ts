/**
 * Step 3 of 4: which word stands for which, by IBM model 1 in both directions.
 *
 *   node scripts/lexicon/align.ts FOLDER LANGUAGE…
 *
 * Reads FOLDER/<language>.tok, writes FOLDER/<language>.lex: see pack.ts for its lines.
 */
import fs from 'node:fs'
import path from 'node:path'
import { Cells, Words } from './cells.ts'

const [folder = '', ...codes] = process.argv.slice(2)
const ROUNDS = 6
const LEAST = 0.02
/** So many pairs of words are looked at; of what is more the longest strings are left out. */
const MOST_CELLS = 60_000_000
/** Keeps a word from taking all of a string in which it is alone. */
const SPREAD = 0.5

const spellings = new Map(
  fs
    .readFileSync(path.join(folder, 'spellings.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
)
for (const code of codes) align(code)

function align(code: string): void {
  const english = new Words()
  const other = new Words()
  const { pairs, cells } = read(path.join(folder, `${code}.tok`), english, other)
  const met = new Cells(26)
  for (const { x, y } of pairs)
    for (const a of x)
      for (const b of y) {
        const slot = met.slot(a, b)
        if (met.met[slot]! < 255) met.met[slot]!++
      }
  const { index, xs, ys } = numbered(pairs, cells, met)
  const forward = new Float32Array(xs.length).fill(0.001)
  const backward = new Float32Array(xs.length).fill(0.001)
  for (let round = 0; round < ROUNDS; round++) learn(pairs, index, xs, ys, forward, backward)
  const lines: string[] = []
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i]!, ys[i]!]
    if (Math.sqrt(forward[i]! * backward[i]!) < LEAST) continue
    const word = english.list[x]!
    lines.push(
      [word, spellings.get(word) ?? word, other.list[y], backward[i]!.toFixed(4), forward[i]!.toFixed(4)]
        .concat([String(english.times[x]), String(other.times[y])])
        .join('\t'),
    )
  }
  fs.writeFileSync(path.join(folder, `${code}.lex`), lines.join('\n'))
  console.log(`${code}: ${pairs.length} pairs, ${xs.length} cells, ${lines.length} lines`)
}

interface Pair {
  x: Int32Array
  y: Int32Array
}

function read(file: string, english: Words, other: Words): { pairs: Pair[]; cells: number } {
  const lines = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const pairs: Pair[] = []
  let cells = 0
  for (const line of lines) {
    const [a = '', b = ''] = line.split('\t').map((words) => words.split(' '))
    if (a === '' || b === '') continue
    cells += a.length * b.length
    if (cells > MOST_CELLS) {
      cells -= a.length * b.length
      break
    }
    pairs.push({
      x: Int32Array.from(a, (word) => english.number(word)),
      y: Int32Array.from(b, (word) => other.number(word)),
    })
  }
  return { pairs, cells }
}

/** Numbers for the cells that were met twice at least, and for each pair of strings those of its cells, -1 for none. */
function numbered(pairs: Pair[], size: number, met: Cells) {
  const numbers = new Int32Array(met.met.length).fill(-1)
  const xs: number[] = []
  const ys: number[] = []
  for (let slot = 0; slot < met.met.length; slot++) {
    if (met.met[slot]! < 2) continue
    numbers[slot] = xs.length
    const [x, y] = met.pair(slot)
    xs.push(x)
    ys.push(y)
  }
  const index = new Int32Array(size)
  let at = 0
  for (const { x, y } of pairs) for (const a of x) for (const b of y) index[at++] = numbers[met.slot(a, b)]!
  return { index, xs: Int32Array.from(xs), ys: Int32Array.from(ys) }
}

/** One round: shares out each word among the words of the other string, and adds up. */
function learn(
  pairs: Pair[],
  index: Int32Array,
  xs: Int32Array,
  ys: Int32Array,
  forward: Float32Array,
  backward: Float32Array,
): void {
  const toOther = new Float64Array(xs.length)
  const toEnglish = new Float64Array(xs.length)
  let base = 0
  for (const { x, y } of pairs) {
    for (let b = 0; b < y.length; b++) share(forward, toOther, index, base + b, y.length, x.length)
    for (let a = 0; a < x.length; a++) share(backward, toEnglish, index, base + a * y.length, 1, y.length)
    base += x.length * y.length
  }
  const ofEnglish = new Float64Array(maximum(xs) + 1)
  const ofOther = new Float64Array(maximum(ys) + 1)
  for (let i = 0; i < xs.length; i++) {
    ofEnglish[xs[i]!]! += toOther[i]!
    ofOther[ys[i]!]! += toEnglish[i]!
  }
  for (let i = 0; i < xs.length; i++) {
    forward[i] = toOther[i]! / (ofEnglish[xs[i]!]! + SPREAD)
    backward[i] = toEnglish[i]! / (ofOther[ys[i]!]! + SPREAD)
  }
}

function share(
  chances: Float32Array,
  sums: Float64Array,
  index: Int32Array,
  from: number,
  step: number,
  count: number,
): void {
  let all = 0.001
  for (let i = 0; i < count; i++) {
    const cell = index[from + i * step]!
    if (cell >= 0) all += chances[cell]!
  }
  for (let i = 0; i < count; i++) {
    const cell = index[from + i * step]!
    if (cell >= 0) sums[cell]! += chances[cell]! / all
  }
}

function maximum(list: Int32Array): number {
  let most = 0
  for (const each of list) if (each > most) most = each
  return most
}
