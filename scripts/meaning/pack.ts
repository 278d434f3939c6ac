/**
 * Packs a trained table of word meanings into the file that search reads.
 *
 *   node scripts/meaning/pack.ts TABLE [OUT]
 *
 * TABLE is what train.py writes: "MNG1", rows and numbers a row (u32), a scale a row (f16), 4 bits a
 * number, then the words, one a line. Rows are put in the order of their words' hashes; two words
 * with the same hash would be an error.
 */
import fs from 'node:fs'
import path from 'node:path'
import { FILE, HEAD, hashOf, MAGIC, mixed } from '../../src/search/meaning/table.ts'

const [from, to = path.join(import.meta.dirname, '..', '..', 'data', FILE)] = process.argv.slice(2)
if (!from) {
  console.error('Which table? node scripts/meaning/pack.ts TABLE [OUT]')
  process.exit(2)
}
const given = fs.readFileSync(from)
if (given.toString('latin1', 0, 4) !== 'MNG1') throw new Error(`${from} is no trained table`)
const rows = given.readUInt32LE(4)
const dims = given.readUInt32LE(8)
const scalesAt = 12
const numbersAt = scalesAt + rows * 2
const words = given.toString('utf8', numbersAt + (rows * dims) / 2).split('\n')
if (words.length !== rows) throw new Error(`${rows} rows, but ${words.length} words`)

const order = words
  .map((word, row) => ({ row, word, hash: mixed(hashOf(word)) }))
  .sort((a, b) => a.hash - b.hash)
const twice = order.find(({ hash }, i) => order[i - 1]?.hash === hash)
if (twice) throw new Error(`${twice.word} has the hash of another word: change FIRST_HASH`)

const half = dims / 2
const out = Buffer.alloc(HEAD + rows * (6 + half))
const list = Buffer.from(order.map(({ word }) => word).join('\n'))
out.write(MAGIC, 0, 'latin1')
out.writeUInt32LE(rows, 4)
out.writeUInt32LE(dims, 8)
out.writeUInt32LE(list.length, 12)
for (const [i, { row, hash }] of order.entries()) {
  out.writeUInt32LE(hash, HEAD + i * 4)
  given.copy(out, HEAD + rows * 4 + i * 2, scalesAt + row * 2, scalesAt + row * 2 + 2)
  given.copy(out, HEAD + rows * 6 + i * half, numbersAt + row * half, numbersAt + (row + 1) * half)
}
fs.mkdirSync(path.dirname(to), { recursive: true })
fs.writeFileSync(to, Buffer.concat([out, list]))
console.log(`${to}: ${rows} words, ${dims} numbers each, ${out.length + list.length} bytes`)
