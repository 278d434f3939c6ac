import { byteAt, f64At, i32At, setI32 } from './numbers.as'

type Place = usize

// Lists of the word index, and the table of all messages: table.ts says what each loop does.

export function decode(
  at: Place,
  end: Place,
  first: i32,
  isSingle: bool,
  slot: i32,
  owners: Place,
  limit: i32,
  keys: Place,
  counts: Place,
  before: i32,
  room: i32,
): i32 {
  let size = before
  let key = first
  while (at < end) {
    let step: i32 = 1
    if (!isSingle) step = <i32>load<u8>(at++)
    if (step > 127) {
      let shift: i32 = 7
      step &= 127
      for (;;) {
        const byte = <i32>load<u8>(at++)
        step |= (byte & 127) << shift
        if (byte < 128) break
        shift += 7
      }
    }
    let count: i32 = 1
    if (step & 1) {
      count = <i32>load<u8>(at++)
      if (count > 127) {
        while (load<u8>(at++) > 127) {}
        count = 255
      }
    }
    key += step >>> 1
    // What is damaged must not write beyond its place.
    if (<u32>key >= <u32>limit || size >= room) continue
    setI32(keys, size, key)
    store<u8>(counts + <usize>size, <u8>count)
    size += i32(<i32>load<u16>(owners + ((<usize>key) << 1)) === slot)
  }
  return size
}

export function fillShorts(list: Place, from: i32, to: i32, value: i32): void {
  for (let i = from; i < to; i++) store<u16>(list + ((<usize>i) << 1), <u16>value)
}

export function countCodes(counts: Place, codes: Place, size: i32): void {
  let i: i32 = 0
  // Nothing is made of how many have none, which is most of them: eight at a time are passed over.
  for (; i + 8 <= size; i += 8) {
    if (load<u64>(codes + <usize>i) === 0) continue
    for (let j = i; j < i + 8; j++) {
      const code = byteAt(codes, j)
      setI32(counts, code, i32At(counts, code) + 1)
    }
  }
  for (; i < size; i++) {
    const code = byteAt(codes, i)
    setI32(counts, code, i32At(counts, code) + 1)
  }
}

export function takeIn(
  keys: Place,
  runs: i32,
  chats: Place,
  chatOf: Place,
  said: Place,
  codes: Place,
  at: Place,
  back: Place,
  ahead: Place,
  far: i32,
  lastOf: Place,
  chatWords: Place,
  chatAt: Place,
  lengths: Place,
  fars: Place,
  state: Place,
  most: i32,
): bool {
  let isInOrder = true
  let farLinks = i32At(fars, 0)
  let i = i32At(state, 0)
  let gone = i32At(state, 1)
  let run = i32At(state, 2)
  let left = i32At(state, 3)
  let budget = most
  for (; i < runs && budget > 0; ) {
    let key = i32At(keys, i * 2) + gone
    const end = key - gone + i32At(keys, i * 2 + 1)
    while (key < end && budget > 0) {
      if (left === 0) {
        left = i32At(chats, run + 1)
        run += 2
      }
      const chat = i32At(chats, run - 2)
      const stop = min(min(end, key + left), key + budget)
      left -= stop - key
      gone += stop - key
      budget -= stop - key
      let last = i32At(lastOf, chat)
      let words = f64At(chatWords, chat)
      let newest = <u32>i32At(chatAt, chat)
      if (last > key) isInOrder = false
      for (; key < stop; key++) {
        setI32(chatOf, key, chat)
        newest = max(newest, <u32>i32At(at, key))
        const length = byteAt(said, key)
        if (length === 0) continue
        words += f64At(lengths, length)
        setI32(codes, length, i32At(codes, length) + 1)
        const step = last === 0 ? 0 : min(far, key - last)
        store<u8>(back + <usize>key, <u8>step)
        if (last !== 0) store<u8>(ahead + <usize>last, <u8>step)
        if (step === far) {
          setI32(fars, ++farLinks, last)
          setI32(fars, ++farLinks, key)
        }
        last = key
      }
      setI32(lastOf, chat, last)
      store<f64>(chatWords + ((<usize>chat) << 3), words)
      setI32(chatAt, chat, <i32>newest)
    }
    if (key < end) break
    i++
    gone = 0
  }
  setI32(fars, 0, farLinks)
  setI32(state, 0, i)
  setI32(state, 1, gone)
  setI32(state, 2, run)
  setI32(state, 3, left)
  return isInOrder
}
