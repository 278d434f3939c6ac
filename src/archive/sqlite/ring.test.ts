import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ring } from './ring.ts'

test('what is kept stays as it was until it is said to be gone, and the oldest goes first', () => {
  for (const step of [7, 1_237, 7_919]) {
    const kept = new Map<number, Buffer>()
    const gone: number[] = []
    const ring = new Ring<number>(1_000, (name) => {
      kept.delete(name)
      gone.push(name)
    })
    for (let name = 0; name < 2_000; name++) {
      const chance = (name * step) % 997
      const length = chance < 50 ? 1_000 - chance : chance % 120
      const room = ring.place(name, length)
      assert.equal(room.length, length)
      room.fill(name & 255)
      kept.set(name, room)
      for (const [each, bytes] of kept) assert.ok(bytes.every((byte) => byte === (each & 255)))
      const held = [...kept.values()].reduce((sum, bytes) => sum + bytes.length, 0)
      assert.ok(held <= 1_000, `${held} bytes at once`)
    }
    assert.deepEqual(
      gone,
      gone.toSorted((a, b) => a - b),
    )
    assert.ok(gone.length > 1_500)
    ring.clear()
    assert.equal(kept.size, 0)
  }
})

test('no more goes than is in the way', () => {
  const gone: string[] = []
  const ring = new Ring<string>(100, (name) => gone.push(name))
  for (const name of ['a', 'b', 'c', 'd']) ring.place(name, 25)
  ring.place('e', 10)
  assert.deepEqual(gone, ['a'])
  ring.place('f', 15)
  assert.deepEqual(gone, ['a'])
  ring.place('g', 30)
  assert.deepEqual(gone, ['a', 'b', 'c'])
})
