import { byteAt, countAt, f32At, f64At, i32At, setF32, setI32 } from './numbers.as'

type Place = usize

// What a search does with the messages that it finds: ranking.ts says what each loop does.

export function clear(from: Place, bytes: usize): void {
  memory.fill(from, 0, bytes)
}

function addTo<T>(
  score: Place,
  units: Place,
  found: Place,
  before: i32,
  keys: Place,
  counts: Place,
  size: i32,
  lengths: Place,
  norms: Place,
  gain: f64,
  bit: i32,
): i32 {
  let messages = before
  for (let i: i32 = 0; i < size; i++) {
    const key = <usize>i32At(keys, i)
    const known = i32At(units, key)
    setI32(found, messages, <i32>key)
    messages += i32(known === 0)
    setI32(units, key, known | bit)
    const times = countAt<T>(counts, i)
    setF32(score, key, f32At(score, key) + (gain * times) / (times + f64At(norms, byteAt(lengths, key))))
  }
  return messages
}

export function addList(
  score: Place,
  units: Place,
  found: Place,
  before: i32,
  keys: Place,
  counts: Place,
  bytesEach: i32,
  size: i32,
  lengths: Place,
  norms: Place,
  gain: f64,
  bit: i32,
): i32 {
  return bytesEach === 1
    ? addTo<u8>(score, units, found, before, keys, counts, size, lengths, norms, gain, bit)
    : addTo<f32>(score, units, found, before, keys, counts, size, lengths, norms, gain, bit)
}

function raiseIn<T>(
  score: Place,
  units: Place,
  keys: Place,
  counts: Place,
  size: i32,
  lengths: Place,
  norms: Place,
  gain: f64,
  bit: i32,
): void {
  for (let i: i32 = 0; i < size; i++) {
    const key = <usize>i32At(keys, i)
    const known = i32At(units, key)
    if (known === 0) continue
    setI32(units, key, known | bit)
    const times = countAt<T>(counts, i)
    setF32(score, key, f32At(score, key) + (gain * times) / (times + f64At(norms, byteAt(lengths, key))))
  }
}

export function raiseList(
  score: Place,
  units: Place,
  keys: Place,
  counts: Place,
  bytesEach: i32,
  size: i32,
  lengths: Place,
  norms: Place,
  gain: f64,
  bit: i32,
): void {
  if (bytesEach === 1) raiseIn<u8>(score, units, keys, counts, size, lengths, norms, gain, bit)
  else raiseIn<f32>(score, units, keys, counts, size, lengths, norms, gain, bit)
}

export function uniteList(
  times: Place,
  united: Place,
  before: i32,
  keys: Place,
  counts: Place,
  size: i32,
  weight: f64,
): i32 {
  let messages = before
  for (let i: i32 = 0; i < size; i++) {
    const key = <usize>i32At(keys, i)
    const known = f32At(times, key)
    setI32(united, messages, <i32>key)
    messages += i32(known === 0)
    setF32(times, key, known + countAt<u8>(counts, i) * weight)
  }
  return messages
}

export function takeTimes(times: Place, keys: Place, size: i32, taken: Place): void {
  for (let i: i32 = 0; i < size; i++) {
    const key = <usize>i32At(keys, i)
    setI32(taken, i, i32At(times, key))
    setI32(times, key, 0)
  }
}

function addTimesOf<T>(
  chatTimes: Place,
  chatMet: Place,
  keys: Place,
  counts: Place,
  size: i32,
  chatOf: Place,
): i32 {
  let met: i32 = 0
  for (let i: i32 = 0; i < size; i++) {
    const chat = <usize>i32At(chatOf, i32At(keys, i))
    const known = f32At(chatTimes, chat)
    setI32(chatMet, met, <i32>chat)
    met += i32(known === 0)
    setF32(chatTimes, chat, known + countAt<T>(counts, i))
  }
  return met
}

export function addTimes(
  chatTimes: Place,
  chatMet: Place,
  keys: Place,
  counts: Place,
  bytesEach: i32,
  size: i32,
  chatOf: Place,
): i32 {
  if (bytesEach === 1) return addTimesOf<u8>(chatTimes, chatMet, keys, counts, size, chatOf)
  return addTimesOf<f32>(chatTimes, chatMet, keys, counts, size, chatOf)
}

export function addWords(
  chatTimes: Place,
  chatMet: Place,
  met: i32,
  chatWords: Place,
  chatUnits: Place,
  chatFlags: Place,
  foundChats: Place,
  before: i32,
  isFound: i32,
  lengths: Place,
  titles: Place,
  titleLengths: Place,
  average: f64,
  k1: f64,
  b: f64,
  gain: f64,
  bit: i32,
  raises: bool,
): i32 {
  let chats = before
  for (let i: i32 = 0; i < met; i++) {
    const chat = <usize>i32At(chatMet, i)
    const times = f32At(chatTimes, chat)
    setI32(chatTimes, chat, 0)
    const flags = <i32>byteAt(chatFlags, chat)
    if ((flags & isFound) === 0) {
      if (raises) continue
      store<u8>(chatFlags + chat, <u8>(flags | isFound))
      setI32(foundChats, chats++, <i32>chat)
    }
    const length = f64At(lengths, chat) + f64At(titleLengths, byteAt(titles, chat))
    const norm = k1 * (1 - b + (b * length) / average)
    setF32(chatWords, chat, f32At(chatWords, chat) + (gain * times) / (times + norm))
    setI32(chatUnits, chat, i32At(chatUnits, chat) | bit)
  }
  return chats
}

export function weighList(
  score: Place,
  units: Place,
  found: Place,
  messages: i32,
  label: Place,
  byLabel: Place,
  byCount: Place,
): void {
  for (let i: i32 = 0; i < messages; i++) {
    const key = <usize>i32At(found, i)
    const weight = f64At(byCount, popcnt(i32At(units, key))) * f64At(byLabel, byteAt(label, key))
    setF32(score, key, f32At(score, key) * weight)
  }
}

export function withUnits(units: Place, from: i32, to: i32, keys: Place): i32 {
  let size: i32 = 0
  for (let key = from; key < to; key++) {
    setI32(keys, size, key)
    size += i32(i32At(units, key) !== 0)
  }
  return size
}

/** Of equals the later one is better, where times are given, then the one with the larger key. */
function isWorse(score: Place, a: i32, b: i32, times: Place): bool {
  const x = f32At(score, a)
  const y = f32At(score, b)
  if (x !== y) return x < y
  if (times !== 0) {
    const early = <u32>i32At(times, a)
    const late = <u32>i32At(times, b)
    if (early !== late) return early < late
  }
  return a < b
}

export function topOf(keys: Place, size: i32, score: Place, most: i32, times: Place, heap: Place): i32 {
  let kept: i32 = 0
  let least: f64 = 0
  for (let i: i32 = 0; i < size; i++) {
    const key = i32At(keys, i)
    if (kept < most) {
      // It rises.
      let at = kept++
      while (at > 0) {
        const up = (at - 1) >> 1
        if (!isWorse(score, key, i32At(heap, up), times)) break
        setI32(heap, at, i32At(heap, up))
        at = up
      }
      setI32(heap, at, key)
    } else if (f32At(score, key) < least || !isWorse(score, i32At(heap, 0), key, times)) continue
    else {
      // It sinks from the top.
      let at: i32 = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= kept) break
        if (child + 1 < kept && isWorse(score, i32At(heap, child + 1), i32At(heap, child), times)) child++
        if (!isWorse(score, i32At(heap, child), key, times)) break
        setI32(heap, at, i32At(heap, child))
        at = child
      }
      setI32(heap, at, key)
    }
    least = f32At(score, i32At(heap, 0))
  }
  return kept
}

function isIn(keys: Place, size: i32, wanted: i32): bool {
  for (let i: i32 = 0; i < size; i++) if (i32At(keys, i) === wanted) return true
  return false
}

export function gatherList(
  keys: Place,
  start: i32,
  end: i32,
  score: Place,
  units: Place,
  chatOf: Place,
  at: Place,
  back: Place,
  ahead: Place,
  far: i32,
  chatUnits: Place,
  chatFlags: Place,
  isFound: i32,
  isGained: i32,
  chatNewest: Place,
  foundChats: Place,
  chatsBefore: i32,
  first: Place,
  second: Place,
  third: Place,
  ofBefore: f64,
  ofAfter: f64,
  gained: Place,
  gains: i32,
  left: Place,
): i32 {
  let chats = chatsBefore
  let lefts: i32 = 0
  let flags: i32 = 0
  let has: i32 = 0
  let newest: f64 = 0
  let one: i32 = 0
  let two: i32 = 0
  let three: i32 = 0
  let met: i32 = -1
  for (let i = start; i < end; i++) {
    const key = <usize>i32At(keys, i)
    const chat = i32At(chatOf, key)
    if (chat !== met) {
      if (met !== -1) {
        setI32(chatUnits, met, has)
        setF32(chatNewest, met, newest)
        setI32(first, met, one)
        setI32(second, met, two)
        setI32(third, met, three)
      }
      met = chat
      flags = <i32>byteAt(chatFlags, chat)
      setI32(foundChats, chats, chat)
      chats += i32((flags & isFound) === 0)
      store<u8>(chatFlags + <usize>chat, <u8>(flags | isFound))
      has = i32At(chatUnits, chat)
      newest = f32At(chatNewest, chat)
      one = i32At(first, chat)
      two = i32At(second, chat)
      three = i32At(third, chat)
    }
    has |= i32At(units, key)
    const time = <f64>(<u32>i32At(at, key))
    if (time > newest) newest = <f64>(<f32>time)
    if ((flags & isGained) !== 0 && isIn(gained, gains, <i32>key)) continue
    const before = <i32>byteAt(back, key)
    const after = <i32>byteAt(ahead, key)
    if (before === far || after === far) {
      setI32(left, ++lefts, <i32>key)
      continue
    }
    // No message has the key 0: its score is 0.
    const previous = before === 0 ? <usize>0 : key - <usize>before
    const next = after === 0 ? <usize>0 : key + <usize>after
    const sum = f32At(score, key) + ofBefore * f32At(score, previous) + ofAfter * f32At(score, next)
    let own = reinterpret<i32>(<f32>sum)
    let less = one - own
    less &= less >> 31
    one -= less
    own += less
    less = two - own
    less &= less >> 31
    two -= less
    own += less
    less = three - own
    three -= less & (less >> 31)
  }
  if (met !== -1) {
    setI32(chatUnits, met, has)
    setF32(chatNewest, met, newest)
    setI32(first, met, one)
    setI32(second, met, two)
    setI32(third, met, three)
  }
  setI32(left, 0, lefts)
  return chats
}

export function flagged(
  keys: Place,
  size: i32,
  chatOf: Place,
  chatFlags: Place,
  mask: i32,
  wanted: i32,
  into: Place,
): i32 {
  let found: i32 = 0
  for (let i: i32 = 0; i < size; i++) {
    const key = i32At(keys, i)
    setI32(into, found, key)
    found += i32((<i32>byteAt(chatFlags, i32At(chatOf, key)) & mask) === wanted)
  }
  return found
}

export function clearAt(list: Place, keys: Place, size: i32): void {
  for (let i: i32 = 0; i < size; i++) setI32(list, i32At(keys, i), 0)
}

export function clearBytesAt(list: Place, keys: Place, size: i32): void {
  for (let i: i32 = 0; i < size; i++) store<u8>(list + <usize>i32At(keys, i), 0)
}
