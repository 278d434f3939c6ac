import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chat, Message } from './chat.ts'
import { type ChatReading, inOrder, isOriginalOf, type KnownChat, merged, mergedHeader } from './merge.ts'

const NOTHING: KnownChat = { base: {}, tellings: [], messages: [] }

/** A telling of a message: its id and what it says.  */
function say(
  id: string,
  order: number,
  text = id,
  more: Partial<Message> = {},
): ChatReading['messages'][number] {
  const message: Message = {
    id,
    order,
    role: 'user',
    kind: 'request',
    createdAt: 1000 + order,
    text,
    ...more,
  }
  const facts = `${message.createdAt} ${text}`
  const hash = [...facts].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 1e9, 7)
  return { message, order, size: text.length, hash }
}

function reading(
  path: string,
  messages: ChatReading['messages'],
  more: Partial<ChatReading> = {},
): ChatReading {
  const by = { path, rank: 0, standsIn: false, generation: 1, changedAt: 0 }
  return { ...by, headers: [], messages, completes: false, ...more }
}

function after(...readings: ChatReading[]): KnownChat {
  return readings.reduce(merged, NOTHING)
}

/** What a reader sees. */
function shown({ messages, tellings }: KnownChat): unknown {
  return {
    messages: messages.map(
      ({ message, vanished }) => `${message.id}:${message.text}${vanished ? ' (undone)' : ''}`,
    ),
    header: mergedHeader(tellings),
  }
}

test('a stand-in goes with the first message that is told first hand, whichever is read first', () => {
  const transcript = reading('/t', [say('t1', 1), say('t2', 2)], { standsIn: true })
  const session = reading('/s', [say('r1', 1)], { rank: 3 })
  const empty = reading('/s', [], { rank: 3 })
  assert.deepEqual(shown(after(transcript, session)), shown(after(session, transcript)))
  assert.deepEqual(
    after(transcript, session).messages.map(({ message }) => message.id),
    ['r1'],
  )
  assert.equal(after(transcript, empty).messages.length, 2)
  assert.equal(after(empty, transcript).messages.length, 2)
})

test('the higher rank is believed, then the fuller text, then the first by name', () => {
  const texts = (...readings: ChatReading[]) => after(...readings).messages.map(({ message }) => message.text)
  const low = reading('/a', [say('m', 1, 'a long text of the lower rank')])
  const high = reading('/b', [say('m', 1, 'short')], { rank: 1 })
  assert.deepEqual([texts(low, high), texts(high, low)], [['short'], ['short']])
  const full = reading('/z', [say('m', 1, 'more words')])
  const less = reading('/y', [say('m', 1, 'words')])
  assert.deepEqual([texts(full, less), texts(less, full)], [['more words'], ['more words']])
  const one = reading('/1', [say('m', 1, 'aa')])
  const two = reading('/2', [say('m', 1, 'bb')])
  assert.deepEqual([texts(one, two), texts(two, one)], [['aa'], ['aa']])
})

test('what vanishes stays behind what it stood behind; told again it is no longer undone', () => {
  const first = reading('/a', [say('1', 1), say('2', 2), say('3', 3)])
  const second = reading('/a', [say('1', 1), say('3', 3)], { generation: 2, completes: true })
  const third = reading('/a', [say('1', 1), say('2', 2), say('3', 3)], { generation: 3, completes: true })
  const texts = (known: KnownChat) => (shown(known) as { messages: string[] }).messages
  assert.deepEqual(texts(after(first, second)), ['1:1', '2:2 (undone)', '3:3'])
  assert.deepEqual(texts(after(first, second, third)), ['1:1', '2:2', '3:3'])
})

test('a better reader may tell a message under another id; a rewound one stays', () => {
  const first = reading('/a', [say('old', 1, 'same words'), say('rewound', 2)])
  const again = [say('new', 1, 'same words')]
  const renewed = after(first, reading('/a', again, { generation: 2, completes: true, renews: true }))
  assert.deepEqual((shown(renewed) as { messages: string[] }).messages, [
    'new:same words',
    'rewound:rewound (undone)',
  ])
})

test('the messages of two files are put together by time, each file in its own order', () => {
  const at = (createdAt: number) => ({ createdAt })
  const a = [say('a1', 10, 'a1', at(100)), say('a2', 20, 'a2', at(90)), say('a3', 30, 'a3', at(300))]
  const b = [say('b1', 5, 'b1', at(200)), say('b2', 500, 'b2', at(400))]
  const ids = (known: KnownChat) => known.messages.map(({ message }) => message.id).join(' ')
  assert.equal(ids(after(reading('/a', a), reading('/b', b))), 'a1 a2 b1 a3 b2')
  assert.equal(ids(after(reading('/b', b), reading('/a', a))), 'a1 a2 b1 a3 b2')
})

test('each fact of a chat comes from the file that is believed the most of those that tell it', () => {
  const telling = (path: string, header: Partial<Chat>, rank = 0, standsIn = false) => ({
    ...{ path, header, rank, standsIn, changedAt: 0 },
  })
  const tellings = [
    telling('/t', { title: 'of the transcript', branch: 'main' }, 9, true),
    telling('/low', { title: 'low', workspace: '/w', updatedAt: 9 }, 1),
    telling('/high', { title: 'high', createdAt: 5, updatedAt: 7 }, 2),
  ]
  const expected = { title: 'high', workspace: '/w', branch: 'main', createdAt: 5, updatedAt: 9 }
  assert.deepEqual(mergedHeader(tellings), expected)
  assert.deepEqual(mergedHeader(tellings.toReversed()), expected)
})

test('of two chats that begin alike one is the original, seen from either', () => {
  const background = { id: 'a', background: true, bornAt: 1 }
  const plain = { id: 'b', bornAt: 2 }
  const told = { id: 'c', forkOf: 'b', bornAt: 0 }
  const unborn = { id: 'd' }
  const all = [background, plain, told, unborn]
  for (const one of all)
    for (const other of all)
      if (one !== other) assert.notEqual(isOriginalOf(one, other), isOriginalOf(other, one))
  assert.ok(isOriginalOf(plain, background))
  assert.ok(isOriginalOf(plain, told))
  assert.ok(isOriginalOf(told, background))
  assert.ok(isOriginalOf(plain, unborn))
})

test('property: the order of files, the pieces and the repeats of a reading do not matter', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = dice(seed)
    const below = (end: number) => Math.floor(random() * end)
    const files = Array.from({ length: 1 + below(4) }, (_, n) => randomFile(n, below))
    const once = shown(after(...files))
    assert.deepEqual(shown(after(...shuffled(files, below))), once, `order, seed ${seed}`)
    assert.deepEqual(
      shown(after(...files.flatMap((file) => pieces(file, below)))),
      once,
      `pieces, seed ${seed}`,
    )
    assert.deepEqual(shown(after(...files, ...shuffled(files, below))), once, `twice, seed ${seed}`)
    const mixed = files.flatMap((file) => pieces(file, below).map((piece, turn) => ({ piece, turn })))
    const inTurns = mixed.sort((a, b) => a.turn - b.turn).map(({ piece }) => piece)
    assert.deepEqual(shown(after(...inTurns)), once, `in turns, seed ${seed}`)
    const whole = files.map((file) => ({ ...file, generation: 2, completes: true }))
    assert.deepEqual(shown(after(...files, ...whole)), once, `read anew, seed ${seed}`)
  }
})

test('property: placing is stable', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = dice(seed)
    const below = (end: number) => Math.floor(random() * end)
    const messages = Array.from({ length: below(12) }, (_, n) => ({
      id: String(n),
      order: below(8),
      createdAt: below(3) === 0 ? undefined : below(20),
      path: `/${below(3)}`,
      vanished: below(4) === 0,
    }))
    const placed = inOrder(messages)
    assert.deepEqual(inOrder(placed), placed)
    assert.equal(new Set(placed).size, messages.length)
  }
})

function randomFile(n: number, below: (end: number) => number): ChatReading {
  const standsIn = below(4) === 0
  const path = `/${n}`
  const messages = Array.from({ length: below(6) }, (_, i) => {
    // Some ids are shared between files, and of those some say more in one than in another.
    const id = below(2) === 0 ? `shared${i}` : `${path}-${i}`
    return say(id, i * 10 + below(9), `${id} ${'more '.repeat(below(3))}`.trim(), {
      createdAt: 1000 + i * 50 + below(60),
    })
  })
  const header = {
    ...(below(2) && { title: `title ${n}` }),
    ...(below(2) && { workspace: `/w${n}` }),
    ...(below(2) && { updatedAt: 2000 + below(5) }),
  }
  return reading(path, messages, { rank: below(3), standsIn, changedAt: below(3), headers: [header] })
}

/** Prefixes of a file, one after the other: each as sync reads what is new. */
function pieces(file: ChatReading, below: (end: number) => number): ChatReading[] {
  const all: ChatReading[] = []
  for (let from = 0; from <= file.messages.length; ) {
    const to = from + 1 + below(3)
    all.push({ ...file, messages: file.messages.slice(from, to) })
    from = to
  }
  return all
}

function shuffled<T>(list: T[], below: (end: number) => number): T[] {
  const rest = [...list]
  return Array.from({ length: list.length }, () => rest.splice(below(rest.length), 1)[0]!)
}

function dice(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
