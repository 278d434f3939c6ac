import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterOf, beforeOf } from '../archive.ts'
import { cut, fewer, MessageList, MessageListWriter, MOST_IN_LIST, writeTitles } from './index-docs.ts'
import { DocumentTable } from './index-table.ts'
import { columnsOf, oldListOf } from './old-message-list.ts'

type Message = Parameters<MessageListWriter['add']>

const NOTHING = new Uint8Array(0)
const NO_TITLES = NOTHING

function dice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Messages of some chats, mostly in a row, some keys left out. Whose a message is never changes. */
function madeUp(
  roll: (most: number) => number,
  first: number,
  most: number,
  chats = new Map<number, number>(),
): Message[] {
  const messages: Message[] = []
  for (let key = first; key < first + most; key++) {
    const before = chats.get(key - 1) ?? 1
    if (!chats.has(key)) chats.set(key, roll(10) === 0 ? 1 + roll(6) : before)
    const chat = chats.get(key)!
    if (roll(12) === 0) continue
    const at = roll(8) === 0 ? 0 : 1_700_000_000 + roll(1_000_000)
    messages.push([key, chat, roll(64), at, roll(3) === 0 ? 0 : roll(256), roll(256), roll(2) * roll(256)])
  }
  return messages
}

function listOf(messages: Message[]): Uint8Array {
  const list = new MessageListWriter(Number.POSITIVE_INFINITY)
  for (const message of messages) list.add(...message)
  return list.take()[0] ?? NOTHING
}

function listsOf(messages: Message[]): MessageList[] {
  return [new MessageList(listOf(messages))]
}

function everythingIn(table: DocumentTable): object {
  const { end, endOfChats, messages, words, chats } = table
  const ofMessages = ['chat', 'label', 'at', 'said', 'thought', 'tools'] as const
  const present = [...table.owner.subarray(0, end).keys()].filter((key) => table.owner[key] !== 0)
  return {
    ...{ present, messages, words, chats, endOfChats },
    rows: present.map((key) => [
      ...ofMessages.map((name) => table[name][key]),
      beforeOf(table, key),
      afterOf(table, key),
    ]),
    chatWords: [...table.chatWords.subarray(0, endOfChats)],
    chatAt: [...table.chatAt.subarray(0, endOfChats)],
    title: [...table.title.subarray(0, endOfChats)],
  }
}

test('a list of messages comes back as it was written, also from the form that older versions wrote', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const roll = dice(seed)
    const messages = madeUp(roll, 1 + roll(300), roll(200))
    const bytes = listOf(messages)
    const list = new MessageList(bytes)
    const read: Message[] = []
    list.each((n, key, chat) =>
      read.push([key, chat, list.label[n]!, list.at(n), list.said[n]!, list.thought[n]!, list.tools[n]!]),
    )
    assert.deepEqual(read, messages)
    assert.equal(list.size, messages.length)
    assert.equal(list.last, messages.at(-1)?.[0] ?? -1)
    assert.deepEqual(
      [...list.eachKey()],
      messages.map(([key]) => key),
    )
    assert.deepEqual(columnsOf(oldListOf(bytes)), bytes)
  }
})

test('lists are taken together and cut: the same messages, in lists that are not too long', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const roll = dice(seed)
    const all = madeUp(roll, 1, 3 * MOST_IN_LIST)
    const parts: MessageList[] = []
    for (let from = 0; from < all.length; ) {
      // One in six is larger than those that are written now.
      const size = roll(6) === 0 ? MOST_IN_LIST + roll(9_000) : 1 + roll(5_000)
      parts.push(...listsOf(all.slice(from, from + size)))
      from += size
    }
    for (const lists of [[...fewer(parts)], cut(parts)].map((some) =>
      some.map((one) => new MessageList(one)),
    )) {
      const [whole] = cut(lists, Number.POSITIVE_INFINITY)
      // Of so many the difference would not be told in a minute.
      assert.ok(Buffer.from(whole!).equals(listOf(all)), `seed ${seed}`)
      assert.ok(lists.every(({ size }) => size > 0 && size <= MOST_IN_LIST))
      assert.ok(lists.length <= 9, `${lists.length} lists`)
    }
  }
})

test('the table holds what the newest segments say, however they came', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const roll = dice(seed)
    const table = new DocumentTable()
    const newestOf = new Map<number, Message>()
    const chats = new Map<number, number>()
    let first = 1
    for (let segment = 1; segment <= 1 + roll(5); segment++) {
      // Some are behind all others, some tell of messages again.
      const messages = madeUp(roll, roll(3) === 0 ? 1 + roll(first) : first, 20 + roll(60), chats)
      first = Math.max(first, (messages.at(-1)?.[0] ?? 0) + 1)
      table.add(segment, listsOf(messages), NO_TITLES)
      for (const message of messages) newestOf.set(message[0], message)
    }
    table.settle()
    const atOnce = new DocumentTable()
    atOnce.add(1, listsOf([...newestOf.values()].sort(([a], [b]) => a - b)), NO_TITLES)
    atOnce.settle()
    // A chat's newest time is that of all that was ever told of it.
    assert.deepEqual(
      { ...everythingIn(table), chatAt: [] },
      { ...everythingIn(atOnce), chatAt: [] },
      `seed ${seed}`,
    )
  }
})

test('only chats that may be seen are in the table', () => {
  const roll = dice(7)
  const messages = madeUp(roll, 1, 200)
  const allowed = new Set([2, 4])
  const table = new DocumentTable()
  table.add(1, listsOf(messages), writeTitles([1, 2, 3, 4].map((chat) => ({ chat, code: 3 }))), allowed)
  table.settle()
  const expected = new DocumentTable()
  expected.add(
    1,
    listsOf(messages.filter(([, chat]) => allowed.has(chat))),
    writeTitles([2, 4].map((chat) => ({ chat, code: 3 }))),
  )
  expected.settle()
  assert.deepEqual(everythingIn(table), everythingIn(expected))
  assert.equal(table.chatWords[1], 0)
})

test('messages of a chat that lie far apart are known as those beside each other', () => {
  const all = [1, 2, 256, 257, 600, 1_200].map((key): Message => [key, 1, 0, 0, 5, 0, 0])
  const others = Array.from({ length: 900 }, (_, i): Message => [i + 261, 2, 0, 0, 5, 0, 0])
  const expected = [0, 1, 2, 256, 257, 600]
  const told = new Map([...all, ...others.filter(([key]) => key !== 600)].map((each) => [each[0], each]))
  const atOnce = new DocumentTable()
  atOnce.add(1, listsOf([...told.values()].sort(([a], [b]) => a - b)), NO_TITLES)
  const byAndBy = new DocumentTable()
  for (const [n, message] of all.entries()) byAndBy.add(n + 1, listsOf([message]), NO_TITLES)
  // Told again, they are taken in one by one.
  byAndBy.add(99, listsOf(all), NO_TITLES)
  for (const table of [atOnce, byAndBy]) {
    table.settle()
    assert.deepEqual(
      all.map(([key]) => beforeOf(table, key)),
      expected,
    )
    assert.deepEqual(
      all.map(([key]) => afterOf(table, key)),
      [2, 256, 257, 600, 1_200, 0],
    )
  }
})

test('any number of messages of a chat may lie far apart', () => {
  const all = Array.from({ length: 2_000 }, (_, i): Message => [1 + i * 300, 1, 0, 0, 5, 0, 0])
  const table = new DocumentTable()
  table.add(1, listsOf(all), NO_TITLES)
  table.settle()
  assert.deepEqual(
    all.map(([key]) => [beforeOf(table, key), afterOf(table, key)]),
    all.map(([key], i) => [i === 0 ? 0 : key - 300, i === all.length - 1 ? 0 : key + 300]),
  )
})
