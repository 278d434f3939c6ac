import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { unzstd } from './unzstd.ts'
import { packedByNode, zstd } from './zstd.ts'

test('one encoder for all gives the bytes that one for each gives, whatever came before', () => {
  const text = Buffer.from('what was said, and what was answered to it, again and again. '.repeat(40_000))
  const noise = randomBytes(600_000)
  const sizes = [0, 1, 2, 5, 100, 255, 256, 4_095, 4_096, 16_384, 70_000, 131_072, 200_000, 524_288, 524_289]
  for (const size of [...sizes, ...sizes.toReversed()])
    for (const from of [text, noise]) {
      const bytes = from.subarray(0, size)
      const packed = zstd(bytes)
      assert.ok(Buffer.from(packed).equals(packedByNode(bytes)), `${size} bytes`)
      assert.ok(zstdDecompressSync(packed).equals(bytes))
      if (size > 0) assert.ok(unzstd(packed).equals(bytes))
    }
})

test('what was packed is not changed by what is packed after it', () => {
  const first = zstd(Buffer.from('the first'))
  zstd(Buffer.from('another one'))
  assert.equal(zstdDecompressSync(first).toString(), 'the first')
})
