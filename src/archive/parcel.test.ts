import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParcelRoom } from './parcel.ts'

test('what is put into a room lies apart, whatever its numbers, and is void when the room begins anew', () => {
  const room = new ParcelRoom()
  const given = [
    Uint8Array.of(1, 2, 3),
    Int32Array.of(4, -5),
    new Uint8Array(0),
    Float64Array.of(6.5, Number.NaN),
    Uint8Array.of(7),
  ]
  const copies = given.map((numbers) => room.copy(numbers))
  const ints = room.ints(3).fill(8)
  assert.deepEqual(copies, given)
  assert.deepEqual([...ints], [8, 8, 8])
  assert.equal(new Set([...copies, ints].map(({ buffer }) => buffer)).size, 1)
  room.clear()
  assert.deepEqual([...room.copy(Uint8Array.of(9, 9))], [9, 9])
  assert.equal(copies[0]![0], 9)
})

test('what has no room there has memory of its own', () => {
  const room = new ParcelRoom()
  const [first, large, last] = [100, 40_000_000, 100].map((size, n) =>
    room.copy(new Uint8Array(size).fill(n + 1)),
  )
  assert.ok(first!.every((number) => number === 1))
  assert.ok(large!.length === 40_000_000 && large!.every((number) => number === 2))
  assert.ok(last!.every((number) => number === 3))
  assert.notEqual(large!.buffer, first!.buffer)
  assert.equal(last!.buffer, first!.buffer)
})
