import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { termsOfWord } from '../../model/terms.ts'
import { afterOf, beforeOf } from '../archive.ts'
import { connect } from './connection.ts'
import { LISTS, lexiconOf, WordGathering } from './index-build.ts'
import { sortable } from './index-bytes.ts'
import { BlockLookup } from './index-lookup.ts'
import { eraseWords, mergeAtEnd, mergeOnce, mergeSegments } from './index-merge.ts'
import { IndexReader } from './index-read.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

function open() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-index-'))
  folders.push(folder)
  const connection = connect(folder)
  return { connection, reader: new IndexReader(connection), file: path.join(folder, 'archive.db') }
}

/** The same numbers at each run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const VOCABULARY = [
  ...'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' '),
  ...'привет мир поиск слово индекс'.split(' '),
  ...Array.from({ length: 400 }, (_, i) => `word${i}x`),
  // Terms that are compared by six bytes at a time: one is the beginning of the other, and they differ late.
  ...Array.from({ length: 26 }, (_, i) => 'qwrtpkdfghjkpzxcvbkmqwrtpk'.slice(0, i + 1)),
  ...['qwrtpkdfghjx', 'qwrtpkdfghjkpzk', 'qwrtpkdfghjkpzxcvbkk', 'бвгджзбвгджз', 'бвгджзбвгджзк', 'бвгджк'],
]

for (const seed of [1, 2, 3]) {
  test(`appended, told again, merged and erased in any order, the index knows what a plain list knows (seed ${seed})`, () => {
    const { connection, reader } = open()
    const random = dice(seed)
    const truth = new Map<number, string[]>()
    let next = 1
    for (let round = 0; round < 60; round++) {
      const action = random(10)
      if (action < 7) {
        connection.transaction(() => {
          const words = new WordGathering(lexiconOf(connection))
          for (let i = random(40); i >= 0; i--) {
            const key = random(4) === 0 && next > 1 ? 1 + random(next - 1) : next++
            const text = Array.from({ length: random(30) }, () => VOCABULARY[random(VOCABULARY.length)]!)
            truth.set(key, text)
            words.message({
              key,
              chat: 1 + (key % 7),
              role: 'user',
              kind: 'request',
              said: text.join(' '),
              thought: '',
              tools: '',
            })
          }
          words.write(connection)
          mergeSegments(connection, random(3) * 100)
        })
      } else if (action < 8) connection.transaction(() => mergeOnce(connection, Number.POSITIVE_INFINITY))
      else if (action < 9) connection.transaction(() => mergeAtEnd(connection))
      else {
        const gone = new Set(Array.from({ length: 5 }, () => 1 + random(next)))
        connection.transaction(() => eraseWords(connection, gone, new Set()))
        for (const key of gone) truth.delete(key)
      }
      if (round % 10 === 9) compare(reader, truth)
    }
    compare(reader, truth)
    // Another process that opens the archive now sees the same.
    compare(new IndexReader(connection), truth)
    connection.close()
  })
}

function compare(reader: IndexReader, truth: Map<number, string[]>): void {
  reader.searching((view) => {
    const having = [...truth.values()].filter((words) => words.length > 0)
    assert.equal(view.documents.messages.said, having.length)
    for (const word of VOCABULARY) {
      const expected = [...truth].flatMap(([key, words]) => {
        const times = words.filter((each) => each === word).length
        return times > 0 ? [`${key}:${times}`] : []
      })
      const { keys, counts, size } = view.postings('said', termsOfWord(word)[0]!)
      const found = Array.from({ length: size }, (_, i) => `${keys[i]}:${counts[i]}`)
      assert.deepEqual(found.sort(), expected.sort(), word)
    }
  })
}

test('neighbours are the messages of the same chat before and after', () => {
  const { connection, reader } = open()
  connection.transaction(() => {
    const words = new WordGathering(lexiconOf(connection))
    for (let key = 1; key <= 6; key++)
      words.message({
        key,
        chat: key % 2,
        role: 'user',
        kind: 'request',
        said: key === 3 ? '' : 'x',
        thought: '',
        tools: '',
      })
    words.write(connection)
  })
  reader.searching(({ documents }) => {
    assert.equal(afterOf(documents, 1), 5, 'nothing was said in 3')
    assert.equal(beforeOf(documents, 5), 1)
    assert.equal(afterOf(documents, 5), 0)
  })
  connection.close()
})

test('terms are listed by their beginning, the commonest first', () => {
  const { connection, reader } = open()
  connection.transaction(() => {
    const words = new WordGathering(lexiconOf(connection))
    const texts = ['config confirm', 'config', 'confetti cat']
    for (const [i, said] of texts.entries())
      words.message({ key: i + 1, chat: 1, role: 'user', kind: 'request', said, thought: '', tools: '' })
    words.write(connection)
  })
  const terms = reader.searching((view) => view.termsFrom('said', 'conf', 10))
  assert.deepEqual(terms[0], { term: 'config', messages: 2 })
  assert.deepEqual(terms.map(({ term }) => term).sort(), ['confetti', 'config', 'confirm'])
  connection.close()
})

test('many single appends leave few segments, and none is slow whatever went before', () => {
  const { connection } = open()
  for (let key = 1; key <= 600; key++) {
    connection.transaction(() => {
      const words = new WordGathering(lexiconOf(connection))
      words.message({
        key,
        chat: 1,
        role: 'user',
        kind: 'request',
        said: `message number${key} of many`,
        thought: '',
        tools: '',
      })
      words.write(connection)
      mergeSegments(connection, 12)
    })
  }
  const { segments } = connection.prepare('SELECT count(*) AS segments FROM word_segment').get()!
  assert.ok(Number(segments) < 24, `${segments} segments`)
  connection.close()
})

test('the end of a sync leaves one segment of many large ones, and a large one beside a few small ones as it is', () => {
  const { connection, reader } = open()
  const write = (from: number, count: number) =>
    connection.transaction(() => {
      const words = new WordGathering(lexiconOf(connection))
      for (let key = from; key < from + count; key++) {
        const said = `common number${key} ${VOCABULARY[key % VOCABULARY.length]}`
        words.message({ key, chat: 1, role: 'user', kind: 'request', said, thought: '', tools: '' })
      }
      words.write(connection)
      mergeSegments(connection, count * 12)
    })
  const segments = () =>
    connection
      .prepare('SELECT messages FROM word_segment ORDER BY newest')
      .all()
      .map((row) => Number(row.messages))
  for (let n = 0; n < 12; n++) write(1 + n * 2_100, 2_100)
  assert.equal(segments().length, 12, 'large ones wait')
  connection.transaction(() => mergeAtEnd(connection))
  assert.deepEqual(segments(), [25_200])
  for (let n = 0; n < 5; n++) write(25_201 + n * 10, 10)
  connection.transaction(() => mergeAtEnd(connection))
  assert.equal(segments()[0], 25_200)
  reader.searching((view) => {
    assert.equal(view.postings('said', 'common').size, 25_250)
    for (const key of [1, 2_100, 2_101, 25_200, 25_201, 25_250])
      assert.deepEqual([...view.postings('said', `number${key}`).keys.subarray(0, 1)], [key])
  })
  // Its lists of messages stand in blocks of their own.
  const blocks = () =>
    Number(connection.prepare('SELECT count(*) AS n FROM word_block WHERE field = ?').get(LISTS)!.n)
  assert.ok(blocks() >= 4 && blocks() <= 7, `${blocks()} lists`)
  const gone = new Set([3, 9_000, 25_200])
  connection.transaction(() => eraseWords(connection, gone, new Set()))
  assert.ok(blocks() >= 4 && blocks() <= 7, `${blocks()} lists after erasing`)
  for (const searches of [reader, new IndexReader(connection)])
    searches.searching((view) => {
      assert.equal(view.postings('said', 'common').size, 25_247)
      assert.equal(view.documents.messages.said, 25_247)
      assert.equal(beforeOf(view.documents, 9_001), 8_999)
      for (const key of gone) assert.equal(view.postings('said', `number${key}`).size, 0)
    })
  connection.transaction(() => mergeSegments(connection, Number.POSITIVE_INFINITY))
  connection.transaction(() => eraseWords(connection, new Set(Array(25_250).keys()), new Set()))
  connection.transaction(() => eraseWords(connection, new Set([25_250]), new Set()))
  assert.equal(blocks(), 0)
  connection.close()
})

test('where one of the lists of a segment is damaged nothing is found, and all of it when it is whole again', () => {
  const { connection } = open()
  connection.transaction(() => {
    const words = new WordGathering(lexiconOf(connection))
    for (let key = 1; key <= 20_000; key++)
      words.message({ key, chat: 1, role: 'user', kind: 'request', said: 'common', thought: '', tools: '' })
    words.write(connection)
  })
  const last = connection.prepare('SELECT max(key) AS key FROM word_block WHERE field = ?').get(LISTS)!.key!
  const { data } = connection.prepare('SELECT data FROM word_block WHERE key = ?').get(last)!
  const write = (bytes: Uint8Array) =>
    connection.prepare('UPDATE word_block SET data = ? WHERE key = ?').run(bytes, last)
  write((data as Uint8Array).with(1_000, 77))
  const reader = new IndexReader(connection)
  for (let time = 0; time < 2; time++)
    assert.throws(() => reader.searching(() => {}), { code: 'ARCHIVE_DAMAGED' })
  write(data as Uint8Array)
  const take = (segment: number) =>
    connection.prepare('UPDATE word_block SET segment = ? WHERE key = ?').run(segment, last)
  const { segment } = connection.prepare('SELECT segment FROM word_block WHERE key = ?').get(last)!
  // One that is gone.
  take(-1)
  for (let time = 0; time < 2; time++)
    assert.throws(() => reader.searching(() => {}), { code: 'ARCHIVE_DAMAGED' })
  take(Number(segment))
  reader.searching((view) => {
    assert.equal(view.documents.messages.said, 20_000)
    assert.equal(view.postings('said', 'common').size, 20_000)
  })
  connection.close()
})

test('a block of another segment that was given the number of one that is gone is read anew', () => {
  const { connection } = open()
  const lookup = new BlockLookup(connection)
  const write = (segment: number, byte: number) =>
    connection
      .prepare('INSERT INTO word_block (key, segment, field, first, data) VALUES (1, ?, 0, ?, ?)')
      .run(segment, sortable('a'), Buffer.alloc(100, byte))
  write(1, 1)
  assert.equal(lookup.find({ key: 1, messages: 1 }, 0, 'alpha')?.[0], 1)
  connection.prepare('DELETE FROM word_block').run()
  write(2, 2)
  lookup.keepOnly(new Set([2]))
  assert.equal(lookup.find({ key: 2, messages: 1 }, 0, 'alpha')?.[0], 2)
  assert.equal(lookup.read(1)[0], 2)
  connection.close()
})

test('many more blocks than are kept are each what was written, in whatever order they are asked for', () => {
  const { connection } = open()
  const lookup = new BlockLookup(connection)
  const sizes = Array.from({ length: 400 }, (_, i) => 1 + ((i * 7_919) % 200_000))
  for (const [i, size] of sizes.entries())
    connection
      .prepare('INSERT INTO word_block (key, segment, field, data) VALUES (?, 1, 0, ?)')
      .run(i + 1, Buffer.alloc(size, (i % 255) + 1))
  const roll = dice(5)
  for (let turn = 0; turn < 2_000; turn++) {
    const i = turn % 3 === 0 ? roll(10) : roll(sizes.length)
    const data = lookup.read(i + 1)
    assert.equal(data.length, sizes[i])
    assert.ok(Buffer.alloc(data.length, (i % 255) + 1).equals(data))
  }
  connection.close()
})
