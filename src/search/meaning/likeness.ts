import { nearWords } from '../../platform/loops/meaning.ts'
import { type Floats, floats, type Ints, ints, longer } from '../../platform/loops/memory.ts'
import { type PieceReader, pieceReader } from './pieces.ts'
import { addRow, lengthOf, type MeaningTable, rowOfWord } from './table.ts'

/** How like a query a text is. */
export interface Likeness {
  /** As a whole: the cosine of the two sums of words. */
  whole: number
  /** Each word of the query by the nearest word of the text, averaged: 1 where all of them stand in it. */
  words: number
}

/** A text's beginning tells what it is about. */
const LOOKED_AT = 600
/** Below this the nearest word has nothing to do with it: something is always the nearest. */
const FLOOR = 0.3
/** Words of the query that are compared, those that tell most. */
const MOST_ASKED = 32
/** The middle of the rows' lengths: words that say little are short. */
const USUAL_LENGTH = 0.82

/** Kept from one query to the next. */
interface Kept {
  of: MeaningTable
  pieces: PieceReader
  /** For each row in which query it was met last, and where in `near` it stands. */
  met: Ints
  places: Ints
  /** What each word met is to each word of the query, found once for all texts. */
  near: Floats
  /** The words that are asked for, what they mean, and how near to each the text is. */
  asked: Ints
  vectors: Floats
  best: Floats
  /** The numbers of one word, and the sum of those of a text. */
  one: Floats
  sum: Floats
}

let kept: Kept | undefined
let queries = 0

/** What search by words knows of a query's words. */
export interface KnownWords {
  /** How much a word tells, by how few messages have it. */
  rarity(word: string): number
  /** Whether it stands anywhere as it was typed. */
  stands(word: string): boolean
  /** Which part of the query it is, as a bit; 0 for none. */
  bit(word: string): number
}

/**
 * Compares texts with a query. `has` are the parts of the query, as bits, that search found in the text: what the
 * table does not know, and what was corrected or translated, is there by these.
 */
export function likenessTo(
  table: MeaningTable,
  query: string,
  known: KnownWords,
): ((text: string, has: number) => Likeness) | undefined {
  kept = keptFor(table)
  const { pieces, met, places, best, one, sum } = kept
  const now = ++queries | 0
  const asked = wordsAsked(table, pieces, query, known)
  const count = asked.rows.length
  if (count === 0) return undefined
  kept.asked.set(asked.rows)
  kept.vectors.set(asked.vectors)
  const { weights, bits, whole } = asked
  const total = weights.reduce((all, weight) => all + weight, 0) || 1
  const { numbers, scales, dims } = table
  let placed = 0

  return (text, has) => {
    const { rows, count: words } = pieces.read(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text)
    if (words === 0) return { whole: 0, words: 0 }
    const { near, asked, vectors } = withRoom(placed + words * count)
    for (let asking = 0; asking < count; asking++) best[asking] = (bits[asking]! & has) === 0 ? 0 : 1
    const known = [numbers, scales, dims, met, now, places, near, placed, asked, count, vectors] as const
    placed = nearWords(rows, words, ...known, FLOOR, best, one, sum)
    let found = 0
    for (let asking = 0; asking < count; asking++) found += weights[asking]! * best[asking]!
    return { whole: product(sum, whole) / (lengthOf(sum) || 1), words: found / total }
  }
}

function keptFor(table: MeaningTable): Kept {
  if (kept?.of === table) return kept
  const { rows, dims } = table
  return {
    of: table,
    pieces: pieceReader(table),
    met: ints(rows),
    places: ints(rows),
    near: floats(8_192),
    asked: ints(MOST_ASKED),
    vectors: floats(MOST_ASKED * dims),
    best: floats(MOST_ASKED),
    one: floats(dims),
    sum: floats(dims),
  }
}

function withRoom(size: number): Kept {
  while (size > kept!.near.length) kept!.near = longer(kept!.near, kept!.near.length * 2)
  return kept!
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

interface Asked {
  /** -1 for a word that the table does not have. */
  rows: number[]
  weights: number[]
  bits: number[]
  /** Of length 1, one after the other; zeros for a word that the table does not have. */
  vectors: Float32Array
  /** The sum of all, of length 1. */
  whole: Float32Array
}

function wordsAsked(
  table: MeaningTable,
  reader: PieceReader,
  query: string,
  { rarity, stands, bit }: KnownWords,
): Asked {
  const { dims } = table
  const { rows, from, to, count, text } = reader.read(query)
  const whole = new Float32Array(dims)
  const all: { row: number; weight: number; bit: number; vector: Float32Array }[] = []
  for (let i = 0; i < count; i++) {
    const vector = new Float32Array(dims)
    addRow(table, rows[i]!, vector)
    for (let j = 0; j < dims; j++) whole[j]! += vector[j]!
    const word = text.slice(from[i], to[i])
    if (rowOfWord(table, word) === rows[i]) {
      const length = lengthOf(vector) || 1
      for (let j = 0; j < dims; j++) vector[j]! /= length
      const weight = rarity(word) * Math.min(1, length / USUAL_LENGTH)
      all.push({ row: rows[i]!, weight, bit: stands(word) ? 0 : bit(word), vector })
    } else if ((i === 0 || from[i - 1] !== from[i]) && bit(word) !== 0)
      // Its parts mean something else: it is there, or it is not.
      all.push({ row: -1, weight: rarity(word), bit: bit(word), vector: new Float32Array(dims) })
  }
  const length = lengthOf(whole) || 1
  for (let j = 0; j < dims; j++) whole[j]! /= length
  const kept = all.sort((a, b) => b.weight - a.weight || a.row - b.row).slice(0, MOST_ASKED)
  const vectors = new Float32Array(kept.length * dims)
  for (const [i, { vector }] of kept.entries()) vectors.set(vector, i * dims)
  return {
    rows: kept.map(({ row }) => row),
    weights: kept.map(({ weight }) => weight),
    bits: kept.map((word) => word.bit),
    vectors,
    whole,
  }
}
