import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unpackedByNode, unzstd } from './unzstd.ts'
import { zstd } from './zstd.ts'

function noise(size: number): Uint8Array {
  let state = size + 1
  return Uint8Array.from({ length: size }, (_, i) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return i % 3 === 0 ? state >>> 24 : 97 + (state >>> 28)
  })
}

test('what was packed comes out, of any size, one after the other', () => {
  for (const size of [0, 1, 7, 255, 256, 300, 65_535, 65_536, 200_000, 1_048_576, 3_000_000]) {
    const bytes = noise(size)
    const packed = zstd(bytes)
    for (let i = 0; i < 3; i++) assert.deepEqual(new Uint8Array(unzstd(packed)), bytes)
    assert.deepEqual(unzstd(packed), unpackedByNode(packed))
  }
})

test('what is damaged is an error, and what comes after it is unpacked', () => {
  const good = zstd(noise(20_000))
  for (let at = 0; at < good.length; at += Math.ceil(good.length / 97)) {
    const bad = Uint8Array.from(good)
    bad[at]! ^= 0x55
    assert.throws(() => unzstd(bad), `byte ${at}`)
    assert.equal(unzstd(good).length, 20_000)
  }
})

test('what was cut off is an error', () => {
  const good = zstd(noise(20_000))
  for (const length of [0, 3, 9, 100, good.length - 5, good.length - 1]) {
    assert.throws(() => unzstd(good.subarray(0, length)), `${length} bytes`)
    assert.equal(unzstd(good).length, 20_000)
  }
})
