import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../../archive/sqlite/index.ts'
import { searchConversations } from '../search.ts'
import { type MadeChat, tell } from '../test-kit.ts'
import { likenessTo } from './likeness.ts'
import { pieceReader } from './pieces.ts'
import { addRow, lengthOf, meaningTable, readTable, rowOfWord, wordsAt } from './table.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-meaning-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const table = meaningTable()!
const words = wordsAt(table, [...table.scales.keys()])
const reader = pieceReader(table)
const pieces = (text: string) => {
  const { rows, count } = reader.read(text)
  return Array.from(rows.subarray(0, count), (row) => words[row])
}

test('every word of the table is found by its letters', () => {
  assert.equal(words.length, table.rows)
  assert.deepEqual(wordsAt(table, [5, table.rows - 1, 0, 5]), [words[5], words.at(-1), words[0], words[5]])
  const lost = words.filter((word, row) => rowOfWord(table, word) !== row)
  assert.deepEqual(lost, [])
  for (const unknown of ['', 'qzxjv', 'Database', 'дatabase', '##'])
    assert.equal(rowOfWord(table, unknown), -1)
})

test('texts are taken apart into words, names into theirs, and what is unknown into parts', () => {
  assert.deepEqual(pieces('The cat, the CAT.'), ['the', 'cat'])
  assert.deepEqual(pieces('useEffect'), ['use', 'effect'])
  assert.deepEqual(pieces('React18'), ['react', '18'])
  assert.deepEqual(pieces('ещё ЕЩЕ'), ['еще'])
  assert.deepEqual(pieces('ﬁle Ｆｉｌｅ'), ['file'])
  assert.deepEqual(pieces('如何恢复已删除的文件？').join(''), '如何恢复已删除的文件')
  const parts = pieces('zwrkfoobar')
  assert.ok(parts.length > 1)
  assert.equal(parts.map((part) => part!.replace('##', '')).join(''), 'zwrkfoobar')
  assert.deepEqual(pieces(' … 🎉 \u{20000} '), [])
})

test('a word that is not in the table has the same parts however often, and among however many others, it is met', () => {
  // Of one, of a few and of very many parts, the last at places that others take meanwhile.
  const unknown = [
    'zwrkfoobar',
    'qxzjvkwfgbhpmcdtnrlsyqvzxwjkgfpb',
    ...Array.from({ length: 20_000 }, (_, n) => `zq${n.toString(36)}xk`),
  ]
  const fresh = (word: string) => {
    const { rows, count } = pieceReader(table).read(word)
    return [...rows.subarray(0, count)]
  }
  const met = (word: string) => {
    const { rows, count } = reader.read(word)
    return [...rows.subarray(0, count)]
  }
  const some = unknown.filter((_, n) => n % 2_000 < 2)
  const wanted = some.map(fresh)
  assert.ok(wanted.some((parts) => parts.length > 8))
  for (const word of unknown) met(word)
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(some.map(met), wanted)
})

test('words that mean alike are near, in one language and across', () => {
  const like = (query: string, text: string) =>
    likenessTo(table, query, { rarity: () => 1, stands: () => true, bit: () => 0 })!(text, 0)
  for (const [query, near, far] of [
    ['walk the dogs', 'I take the puppies out for an hour', 'The invoice was paid by card'],
    ['database backup', 'резервная копия базы данных', 'красивая погода на море'],
    ['удалить файл', 'delete the file', 'paint the wall'],
    ['font size', 'die Schriftgröße ändern', 'der Hund schläft'],
    ['删除文件', 'remove a file', 'a nice day'],
  ] as const) {
    const [good, bad] = [like(query, near), like(query, far)]
    assert.ok(good.words > bad.words + 0.1, `${query}: ${JSON.stringify([good, bad])}`)
    assert.ok(good.whole > bad.whole + 0.1, `${query}: ${JSON.stringify([good, bad])}`)
  }
  assert.equal(like('walk the dogs', 'the dogs walk').words, 1)
  assert.deepEqual(like('walk the dogs', ''), { whole: 0, words: 0 })
})

/** The numbers of a word. */
function numbersOf(row: number): Float32Array {
  const numbers = new Float32Array(table.dims)
  addRow(table, row, numbers)
  return numbers
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

test('the loop tells what its words alone say', () => {
  const asked = ['database', 'backup']
  const texts = [
    'the database was restored from a backup',
    'резервная копия',
    'walk walk walk',
    '删除文件 2026',
  ]
  const like = likenessTo(table, asked.join(' '), { rarity: () => 1, stands: () => true, bit: () => 0 })!
  for (const text of [...texts, ...texts]) {
    const { rows, count } = reader.read(text)
    const sum = new Float32Array(table.dims)
    for (const row of rows.subarray(0, count)) addRow(table, row, sum)
    const whole = new Float32Array(table.dims)
    const nearest = asked.map((word) => {
      const wanted = numbersOf(rowOfWord(table, word))
      for (let i = 0; i < whole.length; i++) whole[i]! += wanted[i]!
      const nears = Array.from(rows.subarray(0, count), (row) => {
        const cosine = product(numbersOf(row), wanted) / (lengthOf(numbersOf(row)) * lengthOf(wanted))
        return Math.max(0, (cosine - 0.3) / 0.7)
      })
      return Math.max(0, ...nears)
    })
    const found = like(text, 0)
    const lengths = asked.map((word) => Math.min(1, lengthOf(numbersOf(rowOfWord(table, word))) / 0.82))
    const weighed = nearest.reduce((all, near, i) => all + near * lengths[i]!, 0)
    assert.ok(Math.abs(found.words - weighed / lengths.reduce((a, b) => a + b)) < 1e-6, text)
    assert.ok(
      Math.abs(found.whole - product(sum, whole) / ((lengthOf(sum) || 1) * lengthOf(whole))) < 1e-6,
      text,
    )
  }
})

test('a word that the table does not have is there where search found it', () => {
  const known = {
    rarity: () => 1,
    stands: () => true,
    bit: (word: string) => (word === 'zwrkfoobar' ? 4 : 0),
  }
  const likeness = likenessTo(table, 'zwrkfoobar', known)!
  assert.equal(likeness('anything', 4).words, 1)
  assert.equal(likeness('anything', 3).words, 0)
})

test('a file that is no table, or cut off, is refused', () => {
  const file = path.join(folder, 'table.bin')
  fs.writeFileSync(file, 'not a table of meanings at all')
  assert.throws(() => readTable(file), /no table/)
  const head = Buffer.alloc(16)
  head.write('RMT1')
  head.writeUInt32LE(10, 4)
  head.writeUInt32LE(64, 8)
  fs.writeFileSync(file, head)
  assert.throws(() => readTable(file), /cut off/)
})

async function searched(chats: MadeChat[], query: string) {
  const archive = openSqliteArchive(fs.mkdtempSync(path.join(folder, 'archive-')))
  await tell(archive, chats)
  const answer = await searchConversations(archive, { intent_query: query })
  await archive.close()
  return answer.results
}

test('of messages that hold the same words the one that means the same comes first', async () => {
  const chats: MadeChat[] = [
    { id: 'song', messages: [{ text: 'The train in that song by the band sounds so sad' }] },
    {
      id: 'work',
      messages: [{ text: 'My train was late, the railway station was crowded with travellers' }],
    },
    {
      id: 'model',
      messages: [{ text: 'We train the computer program on more data with another learning rate' }],
    },
  ]
  const first = async (query: string) => (await searched(chats, query))[0]?.chatId
  assert.equal(await first('train passengers platform'), 'work')
  assert.equal(await first('train software algorithm'), 'model')
  assert.equal(await first('train music lyrics'), 'song')
})

test('what the person says after a question gains from it; what an assistant answers does not', async () => {
  const asked = (role: 'user' | 'assistant'): MadeChat[] => [
    {
      id: 'chat',
      messages: [
        { text: 'I was in the garden today' },
        { text: 'Which instrument did you learn to play as a child?' },
        { text: 'The violin, for six years', role, kind: role === 'user' ? 'request' : 'answer' },
        { text: 'It is getting late, see you soon' },
      ],
    },
  ]
  const shares = async (role: 'user' | 'assistant') => {
    const [chat] = await searched(asked(role), 'instrument learn child')
    return chat!.snippets.find(({ text }) => text.includes('violin'))?.relevance ?? 0
  }
  assert.ok((await shares('user')) > (await shares('assistant')) + 0.1)
})
