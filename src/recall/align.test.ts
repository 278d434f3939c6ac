import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planted, qualityOf } from '../../bench/align.ts'
import { align, type Said } from './align.ts'

function chats(...texts: string[][]): Said[] {
  return texts.flatMap((list, chat) =>
    list.map((text, index) => ({ chat, index, role: index % 2 === 0 ? 'user' : 'assistant', text })),
  )
}

const LOCKS =
  'Take the row locks in the order of their ids, so that two transactions can never wait for each other.'

const CASES: { name: string; texts: string[][]; refs: string[][] }[] = [
  { name: 'equal messages', texts: [[LOCKS], ['x', LOCKS]], refs: [['0 0', '1 1']] },
  {
    name: 'case, punctuation and white space aside',
    texts: [[LOCKS], [`**${LOCKS.toUpperCase().replaceAll(' ', '\n  ')}**`]],
    refs: [['0 0', '1 0']],
  },
  {
    name: 'a few other words',
    texts: [
      [LOCKS],
      [
        'Take the row locks in the order of ids, so that two of the transactions can never again wait for each other.',
      ],
    ],
    refs: [['0 0', '1 0']],
  },
  {
    name: 'a passage within longer messages',
    texts: [
      [`I looked into the worker. ${LOCKS} Shall I go on with the import?`],
      [`Different beginning here. ${LOCKS} And quite another end of it all.`],
    ],
    refs: [['0 0', '1 0']],
  },
  {
    name: 'in three chats, one of them reworded',
    texts: [[LOCKS], [LOCKS], [LOCKS.replace('row locks', 'locks').replace('never wait', 'not wait')]],
    refs: [['0 0', '1 0', '2 0']],
  },
  {
    name: 'a short request word for word',
    texts: [['fix the tests'], ['Fix the tests!']],
    refs: [['0 0', '1 0']],
  },
  { name: 'one or two words say nothing', texts: [['go on'], ['go on']], refs: [] },
  { name: 'only within one chat', texts: [[LOCKS, LOCKS], ['something else']], refs: [] },
  {
    name: 'common words in another order are not shared',
    texts: [
      ['the order of the locks is what the transactions wait for and each of them takes the row'],
      ['each row has an order and the locks wait while transactions of the ids can never be so'],
    ],
    refs: [],
  },
  {
    name: 'scripts without spaces',
    texts: [
      ['前面的话。热门商品过期的瞬间，所有请求同时打到数据库，这就是缓存击穿。'],
      ['另一个开头，热门商品过期的瞬间，所有请求同时打到了数据库，这就是缓存击穿。后面还有。'],
    ],
    refs: [['0 0', '1 0']],
  },
]

for (const { name, texts, refs } of CASES) {
  test(`shared passages: ${name}`, () => {
    const found = align(chats(...texts)).common
    assert.deepEqual(
      found.map((each) => each.refs.map(({ chat, index }) => `${chat} ${index}`).sort()),
      refs,
    )
  })
}

test('a shared passage is quoted as it stands, without what is around it', () => {
  const { common, shared } = align(
    chats([`I looked into the worker. ${LOCKS} Shall I go on?`, 'Yes.'], [`Another start: ${LOCKS} End.`]),
  )
  assert.equal(common[0]?.content, LOCKS)
  assert.ok(shared[0]! > 0.6 && shared[0]! < 1)
  assert.equal(shared[1], 0)
})

test('planted passages are found, and little else, without much work', () => {
  const made = planted(8, 150)
  const begun = process.cpuUsage()
  const { precision, recall } = qualityOf(made, align(made.messages))
  assert.ok(cpuMs(begun) < 3000)
  assert.ok(precision > 0.98, `precision ${precision}`)
  assert.ok(recall > 0.95, `recall ${recall}`)
})

test('no messages, empty ones, and a text of one word repeated', () => {
  assert.deepEqual(align([]), { common: [], shared: [] })
  assert.deepEqual(align(chats([''], [''])).common, [])
  const dull = 'word '.repeat(20_000)
  const begun = process.cpuUsage()
  align(chats([dull], [`${dull}x`], [`y ${dull}`]))
  assert.ok(cpuMs(begun) < 6000)
})

/** Not the time on the clock: others may keep the machine busy. What grows with the square takes minutes. */
function cpuMs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
