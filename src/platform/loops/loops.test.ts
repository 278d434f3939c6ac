import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bytes, bytes, doubles, floats, type Ints, ints, type Shorts, shorts, uints } from './memory.ts'
import { flagged, takeTimes, topOf, uniteList } from './ranking.ts'
import { countCodes, decode, type Postings, takeIn } from './table.ts'

function dice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** A number in pieces of seven bits. */
function seven(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...seven(value >>> 7)]
}

function packed(messages: { key: number; count: number }[]): { bytes: Uint8Array; first: number } {
  let before = messages[0]!.key
  const first = before
  if (messages.length === 1) return { bytes: Uint8Array.from(seven(messages[0]!.count)), first }
  const list = messages.flatMap(({ key, count }) => {
    const step = key - before
    before = key
    return [...seven(step * 2 + (count > 1 ? 1 : 0)), ...(count > 1 ? seven(count) : [])]
  })
  return { bytes: Uint8Array.from(list), first }
}

function room(length: number): Postings {
  return { size: 0, keys: ints(length), counts: bytes(length) }
}

function decoded(list: Uint8Array, first: number, messages: number, owners: Shorts, found: Postings): void {
  const bytes = inReach(list)
  const [from, to] = [bytes.byteOffset, bytes.byteOffset + list.length]
  const { keys, counts } = found
  const isSingle = Number(messages === 1)
  found.size = decode(from, to, first, isSingle, 1, owners, owners.length, keys, counts, 0, keys.length)
}

function inReach(list: Uint8Array) {
  const copy = bytes(list.length)
  copy.set(list)
  return copy
}

test('a list is read as it was written, those of other segments left out', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const roll = dice(seed)
    const size = 1 + roll(seed % 10 === 0 ? 3_000 : 12)
    let key = roll(40)
    const messages = Array.from({ length: size }, () => {
      key += 1 + roll(roll(20) === 0 ? 30_000 : 9)
      return { key, count: roll(4) === 0 ? 1 + roll(roll(3) === 0 ? 40_000 : 5) : 1 }
    })
    const owners = shorts(key + 1)
    for (let i = 0; i < owners.length; i++) owners[i] = 1 + roll(2)
    const { bytes: list, first } = packed(messages)
    const found = room(size)
    decoded(list, first, size, owners, found)
    const expected = messages.filter((each) => owners[each.key] === 1)
    assert.deepEqual(
      Array.from({ length: found.size }, (_, i) => ({ key: found.keys[i], count: found.counts[i] })),
      expected.map((each) => ({ key: each.key, count: each.count > 127 ? 255 : each.count })),
      `seed ${seed}`,
    )
  }
})

test('a damaged list writes nothing where it must not', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const roll = dice(seed)
    const found = room(8)
    const after = bytes(256).fill(9)
    const list = Uint8Array.from({ length: 1 + roll(60) }, () => roll(256))
    const owners = shorts(50).fill(1)
    decoded(list, roll(60), 8, owners, found)
    assert.ok(found.size <= 8)
    assert.ok(found.keys.subarray(0, found.size).every((key) => key >= 0 && key < 50))
    assert.ok(after.every((byte) => byte === 9))
  }
})

test('the highest are those that sorting finds, equals by their time and then by their key', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const roll = dice(seed)
    const size = roll(60)
    const score = floats(100)
    const times = uints(100)
    for (let key = 0; key < 100; key++) {
      score[key] = roll(6)
      times[key] = 4_000_000_000 + roll(3)
    }
    const keys = ints(size)
    keys.set(
      [...Array(100).keys()].sort((a, b) => ((a * 37 + seed) % 101) - ((b * 37 + seed) % 101)).slice(0, size),
    )
    const by = seed % 2 === 0 ? times : undefined
    const most = 1 + roll(20)
    const top = ints(most)
    const found = [...top.subarray(0, topOf(keys, size, score, most, by ?? 0, top))]
    const sorted = [...keys].sort((a, b) => score[b]! - score[a]! || (by ? by[b]! - by[a]! : 0) || b - a)
    assert.deepEqual(new Set(found), new Set(sorted.slice(0, most)), `seed ${seed}`)
  }
})

test('lists that count as one are united, and nothing is left behind', () => {
  const times = floats(10)
  const united = ints(10)
  const list = (keys: number[], counts: number[]): [Ints, Bytes, number] => {
    const made = room(keys.length)
    made.keys.set(keys)
    made.counts.set(counts)
    return [made.keys, made.counts, keys.length]
  }
  let size = uniteList(times, united, 0, ...list([1, 4, 7], [1, 2, 3]), 1)
  size = uniteList(times, united, size, ...list([2, 4], [5, 1]), 0.5)
  const taken = floats(10)
  takeTimes(times, united, size, taken)
  assert.deepEqual([...united.subarray(0, size)], [1, 4, 7, 2])
  assert.deepEqual([...taken.subarray(0, size)], [1, 2.5, 3, 2.5])
  assert.ok(times.every((each) => each === 0))
})

test('those whose chats have just these flags are told', () => {
  const [chatOf, flags, keys, into] = [ints(6), bytes(4), ints(5), ints(6)]
  chatOf.set([0, 1, 1, 2, 3, 3])
  flags.set([4, 4 | 1, 4 | 32, 1])
  keys.set([0, 1, 2, 3, 4])
  assert.equal(flagged(keys, 5, chatOf, flags, 4 | 32, 4, into), 3)
  assert.deepEqual([...into.subarray(0, 3)], [0, 1, 2])
})

test('codes are counted wherever a list begins and ends', () => {
  const codes = bytes(40)
  for (let i = 0; i < 40; i++) codes[i] = i % 7 === 0 ? (i % 5) + 1 : 0
  for (let from = 0; from < 12; from++) {
    const counts = ints(256)
    countCodes(counts, codes.byteOffset + from, 37 - from)
    for (let code = 1; code < 8; code++)
      assert.equal(counts[code], codes.subarray(from, 37).filter((each) => each === code).length)
  }
})

test('messages of one chat far from each other are told apart, however many are taken in at a time', () => {
  for (const most of [1_000, 300, 7, 1]) {
    const said = bytes(600).fill(1)
    const at = uints(600).fill(3_000_000_000)
    const [back, ahead, chatWords, chatAt] = [bytes(600), bytes(600), doubles(3), uints(3)]
    const [keys, chats, fars] = [ints(4), ints(8), ints(20)]
    keys.set([1, 330, 340, 170])
    chats.set([1, 10, 2, 300, 1, 0, 1, 190])
    const lengths = doubles(256).fill(2)
    const [chatOf, codes, last, state] = [ints(600), ints(256), ints(3), ints(4)]
    let calls = 0
    for (; state[0]! < 2; calls++)
      assert.equal(
        takeIn(
          ...([keys, 2, chats, chatOf, said, codes, at, back, ahead, 255] as const),
          ...([last, chatWords, chatAt, lengths, fars, state, most] as const),
        ),
        1,
      )
    assert.ok(calls >= 500 / most && calls <= 500 / most + 2, `${calls} calls of ${most}`)
    assert.deepEqual([...fars.subarray(0, 3)], [2, 10, 311])
    assert.deepEqual([back[311], ahead[10], back[312], back[11]], [255, 255, 1, 0])
    assert.deepEqual([back[340], ahead[330], back[330], ahead[329]], [10, 10, 1, 1])
    assert.deepEqual([chatOf[10], chatOf[11], chatOf[310], chatOf[311], chatOf[509]], [1, 2, 2, 1, 1])
    assert.deepEqual([...chatWords], [0, 400, 600])
    assert.deepEqual([...chatAt], [0, 3_000_000_000, 3_000_000_000])
    assert.equal(codes[1], 500)
  }
})
