/**
 * The loops over lists of messages and chats: functions of flat arrays and numbers alone. Whatever objects a search
 * is made of, V8 compiles each of these once and keeps it; written in the midst of the rest they were compiled
 * again and again, and made a number in memory of every sum meanwhile. Whether a message was met before is as good as chance: what is
 * kept of those met first is written each time, and counted or not, as a processor that guesses wrong loses more than a write.
 */

/** How often a term stands in each message of a list. */
export type Counts = Uint8Array | Float32Array

/** Adds what a term is worth to the messages of its list. Says how many messages are found then. */
export function addList(
  score: Float32Array,
  units: Uint32Array,
  found: Int32Array,
  before: number,
  keys: Int32Array,
  counts: Counts,
  size: number,
  lengths: Uint8Array,
  norms: Float64Array,
  gain: number,
  bit: number,
  raises: boolean,
): number {
  let messages = before
  if (raises) {
    for (let i = 0; i < size; i++) {
      const key = keys[i]!
      if (units[key] === 0) continue
      units[key]! |= bit
      const times = counts[i]!
      score[key]! += (gain * times) / (times + norms[lengths[key]!]!)
    }
    return messages
  }
  for (let i = 0; i < size; i++) {
    const key = keys[i]!
    const known = units[key]!
    found[messages] = key
    messages += Number(known === 0)
    units[key] = known | bit
    const times = counts[i]!
    score[key]! += (gain * times) / (times + norms[lengths[key]!]!)
  }
  return messages
}

/** Adds a list, each count by its weight, to others that count as one with it. Says how many messages are in all of them. */
export function uniteList(
  times: Float32Array,
  united: Int32Array,
  before: number,
  keys: Int32Array,
  counts: Counts,
  size: number,
  weight: number,
): number {
  let messages = before
  for (let i = 0; i < size; i++) {
    const key = keys[i]!
    const known = times[key]!
    united[messages] = key
    messages += Number(known === 0)
    times[key] = known + counts[i]! * weight
  }
  return messages
}

/** What was added up of these messages, in their order; zeros are left. */
export function takeTimes(times: Float32Array, keys: Int32Array, size: number, taken: Float32Array): void {
  for (let i = 0; i < size; i++) {
    const key = keys[i]!
    taken[i] = times[key]!
    times[key] = 0
  }
}

/** Adds up by chat how often a term stands in its messages. Says how many chats have it. */
export function addTimes(
  chatTimes: Float32Array,
  chatMet: Int32Array,
  keys: Int32Array,
  counts: Counts,
  size: number,
  chatOf: Int32Array,
): number {
  let met = 0
  for (let i = 0; i < size; i++) {
    const chat = chatOf[keys[i]!]!
    const known = chatTimes[chat]!
    chatMet[met] = chat
    met += Number(known === 0)
    chatTimes[chat] = known + counts[i]!
  }
  return met
}

/** Adds what a term is worth to the chats that have it, and leaves `chatTimes` as it was. Says how many chats are found then. */
export function addWords(
  chatTimes: Float32Array,
  chatMet: Int32Array,
  met: number,
  chatWords: Float32Array,
  chatUnits: Uint32Array,
  chatFlags: Uint8Array,
  foundChats: Int32Array,
  before: number,
  isFound: number,
  lengths: Float64Array,
  titles: Uint8Array,
  titleLengths: Float64Array,
  average: number,
  k1: number,
  b: number,
  gain: number,
  bit: number,
  raises: boolean,
): number {
  let chats = before
  for (let i = 0; i < met; i++) {
    const chat = chatMet[i]!
    const times = chatTimes[chat]!
    chatTimes[chat] = 0
    if ((chatFlags[chat]! & isFound) === 0) {
      if (raises) continue
      chatFlags[chat]! |= isFound
      foundChats[chats++] = chat
    }
    const length = lengths[chat]! + titleLengths[titles[chat]!]!
    const norm = k1 * (1 - b + (b * length) / average)
    chatWords[chat]! += (gain * times) / (times + norm)
    chatUnits[chat]! |= bit
  }
  return chats
}

/** More for messages with several of the words, and by what kind of message it is. */
export function weighList(
  score: Float32Array,
  units: Uint32Array,
  found: Int32Array,
  messages: number,
  label: Uint8Array,
  byLabel: Float64Array,
  coverage: number,
  words: number,
): void {
  const byCount = new Float64Array(33).fill(1)
  for (let seen = 2; seen <= 32; seen++) byCount[seen] = 1 + (coverage * (seen - 1)) / Math.max(1, words - 1)
  for (let i = 0; i < messages; i++) {
    const key = found[i]!
    score[key]! *= byCount[bits(units[key]!)]! * byLabel[label[key]!]!
  }
}

/** The messages from one key to before another that hold any part of the query. Says how many they are. */
export function withUnits(units: Uint32Array, from: number, to: number, keys: Int32Array): number {
  let size = 0
  for (let key = from; key < to; key++) {
    keys[size] = key
    size += Number(units[key] !== 0)
  }
  return size
}

export function bits(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Of the first `size` keys those with the highest scores, best first; of equals the later one, where times are given, then the larger key. */
export function topOf(
  keys: Int32Array,
  size: number,
  score: Float32Array,
  most: number,
  times?: Uint32Array,
): number[] {
  if (most <= 0) return []
  const heap: number[] = []
  let least = 0
  for (let i = 0; i < size; i++) {
    const key = keys[i]!
    if (heap.length < most) {
      heap.push(key)
      rise(heap, score, times)
    } else if (score[key]! < least || !isWorse(score, heap[0]!, key, times)) continue
    else {
      heap[0] = key
      sink(heap, score, times)
    }
    least = score[heap[0]!]!
  }
  return heap.sort((a, b) => (isWorse(score, a, b, times) ? 1 : -1))
}

function isWorse(score: Float32Array, a: number, b: number, times: Uint32Array | undefined): boolean {
  if (score[a] !== score[b]) return score[a]! < score[b]!
  return times === undefined || times[a] === times[b] ? a < b : times[a]! < times[b]!
}

function rise(heap: number[], score: Float32Array, times: Uint32Array | undefined): void {
  let at = heap.length - 1
  const key = heap[at]!
  while (at > 0) {
    const up = (at - 1) >> 1
    if (!isWorse(score, key, heap[up]!, times)) break
    heap[at] = heap[up]!
    at = up
  }
  heap[at] = key
}

function sink(heap: number[], score: Float32Array, times: Uint32Array | undefined): void {
  const key = heap[0]!
  const { length } = heap
  let at = 0
  for (;;) {
    const left = at * 2 + 1
    if (left >= length) break
    const child = left + 1 < length && isWorse(score, heap[left + 1]!, heap[left]!, times) ? left + 1 : left
    if (!isWorse(score, heap[child]!, key, times)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = key
}

/** Keeps the three best scores of a chat. */
export function keepThree(
  first: Float32Array,
  second: Float32Array,
  third: Float32Array,
  chat: number,
  score: number,
): void {
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
