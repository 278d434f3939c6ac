import { type Floats, type Ints, ints, type Uints } from '../platform/loops/memory.ts'
import { topOf as anyTopOf } from '../platform/loops/ranking.ts'

export function bits(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Of the first `size` keys those with the highest scores, best first; of equals the later one, where times are given, then the larger key. */
export function topOf(keys: Ints, size: number, score: Floats, most: number, times?: Uints): number[] {
  const wanted = Math.min(size, most)
  if (wanted <= 0) return []
  if (top.length < wanted) top = ints(wanted * 2)
  const found = anyTopOf(keys, size, score, wanted, times ?? 0, top)
  return [...top.subarray(0, found)].sort((a, b) => (isWorse(score, a, b, times) ? 1 : -1))
}

let top = ints(1 << 8)

function isWorse(score: Floats, a: number, b: number, times: Uints | undefined): boolean {
  if (score[a] !== score[b]) return score[a]! < score[b]!
  return times === undefined || times[a] === times[b] ? a < b : times[a]! < times[b]!
}

/** Keeps the three best scores of a chat. */
export function keepThree(first: Floats, second: Floats, third: Floats, chat: number, score: number): void {
  if (score <= third[chat]!) return
  if (score > first[chat]!) {
    third[chat] = second[chat]!
    second[chat] = first[chat]!
    first[chat] = score
  } else if (score > second[chat]!) {
    third[chat] = second[chat]!
    second[chat] = score
  } else third[chat] = score
}
