import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Chat, Message } from '../../model/chat.ts'
import type { Archive, Lease, LocalChanges, PushCursor, UnitReading } from '../archive.ts'
import { connect } from './connection.ts'
import { openSqliteArchive } from './index.ts'

const folders: string[] = []
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

interface Made {
  folder: string
  archive: Archive
  lease: Lease
  hub: Lease
}

async function made(): Promise<Made> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-changes-'))
  folders.push(folder)
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  return { folder, archive, lease, hub: (await archive.takeLease('test', 'hub')) as Lease }
}

const AT = 1_700_000_000_000

function message(id: string, order: number, text = id, more: Partial<Message> = {}): Message {
  return { id, order, role: 'user', kind: 'request', createdAt: AT + order, text, ...more }
}

function reading(chatId: string, messages: Message[], more: Partial<UnitReading> = {}): UnitReading {
  return {
    ...{ source: 'codex', path: `/home/me/${chatId}.jsonl`, rank: 0, generation: 1 },
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    chats: [{ source: 'codex', id: chatId }],
    messages: messages.map((each) => ({ chatId, message: each })),
    problems: [],
    begins: true,
    completes: false,
    ...more,
  }
}

function said({ gone, chats }: LocalChanges): string[] {
  return [
    ...gone.map(
      ({ id, message: one, author }) => `gone ${id}${one ? ` ${one}` : ''}${author ? ` of ${author}` : ''}`,
    ),
    ...chats.map(({ chat, messages }) =>
      [chat.id, ...messages.map(({ text, undone }) => (undone ? `${text} (undone)` : text))].join(' '),
    ),
  ]
}

async function all(archive: Archive, from: PushCursor | undefined, limit = 1000) {
  const told: string[] = []
  let cursor = from
  for (;;) {
    const changes = await archive.changesSince(cursor, { limit })
    told.push(...said(changes))
    cursor = changes.cursor
    if (changes.done) return { told, cursor }
  }
}

test('all there is comes first, in pieces, and then only what changed', async () => {
  const { archive, lease } = await made()
  const many = Array.from({ length: 5 }, (_, n) => message(`m${n}`, n))
  await archive.write([reading('one1', many), reading('two2', [message('t', 1)])], lease)
  await assert.rejects(archive.changesSince(undefined), /before a space was joined/)
  await archive.saveSpace('team')
  assert.equal(await archive.changesWaiting(undefined), 6)
  const first = await all(archive, undefined, 2)
  assert.deepEqual(first.told, ['one1 m0 m1', 'one1 m2 m3', 'one1 m4', 'two2 t'])
  assert.equal(await archive.changesWaiting(first.cursor), 0)

  await archive.write([reading('one1', [message('m5', 5)], { begins: false })], lease)
  assert.equal(await archive.changesWaiting(first.cursor), 1)
  const second = await all(archive, first.cursor)
  assert.deepEqual(second.told, ['one1 m5'])
  assert.deepEqual((await all(archive, second.cursor)).told, [])
  // A chat that was read again and says the same is told without its messages.
  await archive.write([reading('one1', many, { begins: false })], lease)
  assert.deepEqual((await all(archive, second.cursor)).told, ['one1'])
})

test('what is written while all is told is told too, and what is not wanted is not', async () => {
  const { archive, lease } = await made()
  await archive.saveSpace('team')
  await archive.write(
    [reading('aaaa', [message('a0', 0), message('a1', 1)]), reading('bbbb', [message('b', 1)])],
    lease,
  )
  const wants = ({ id }: Chat) => id !== 'bbbb'
  const begun = await archive.changesSince(undefined, { limit: 1, wants })
  assert.deepEqual(said(begun), ['aaaa a0'])
  await archive.write(
    [reading('aaaa', [message('a2', 2)], { begins: false }), reading('cccc', [message('c', 1)])],
    lease,
  )
  const told: string[] = []
  let { cursor, done } = begun
  while (!done) {
    const next = await archive.changesSince(cursor, { limit: 1, wants })
    told.push(...said(next))
    ;({ cursor, done } = next)
  }
  assert.deepEqual([...new Set(told.join(' ').split(' '))].sort(), ['a1', 'a2', 'aaaa', 'c', 'cccc'])
})

test('edited, taken back, moved, forgotten: each is told as it is now', async () => {
  const { archive, lease, hub } = await made()
  await archive.saveSpace('team')
  await archive.write(
    [
      reading(
        'aaaa',
        ['a', 'b', 'c'].map((id, n) => message(id, n * 10)),
      ),
    ],
    lease,
  )
  await archive.write([reading('gone', [message('g', 1)])], lease)
  let { cursor } = await all(archive, undefined)
  const next = async () => {
    const { told, cursor: now } = await all(archive, cursor)
    cursor = now
    return told
  }
  await archive.write([reading('aaaa', [message('b', 10, 'better')], { begins: false })], lease)
  assert.deepEqual(await next(), ['aaaa better'])
  const rewritten = [message('a', 0), message('b', 10, 'better'), message('new', 5)]
  await archive.write([reading('aaaa', rewritten, { generation: 2, completes: true })], lease)
  assert.deepEqual((await next())[0]?.split(' ').sort(), ['(undone)', 'aaaa', 'better', 'c', 'new'])
  const other = {
    path: '/other',
    fingerprint: { stamp: '', inode: 2, size: 1, mtime: 2, head: '', tail: '' },
  }
  await archive.write([reading('aaaa', [message('early', -5)], { ...other, begins: true })], lease)
  assert.deepEqual((await next())[0]?.split(' ').sort(), [
    '(undone)',
    'a',
    'aaaa',
    'better',
    'c',
    'early',
    'new',
  ])
  await archive.forget([await archive.resolveChat('gone')])
  assert.deepEqual(await next(), ['gone gone'])
  await archive.applyRemote(
    {
      ...{ space: 'own', kind: 'own', from: 0, to: 1 },
      chats: [
        { author: 'me', machine: 'desk', chat: { source: 'codex', id: 'desk' }, messages: [message('x', 1)] },
      ],
    },
    hub,
  )
  assert.deepEqual(await next(), [])
  await archive.forget([await archive.resolveChat('desk')])
  assert.deepEqual(await next(), ['gone desk of me'])
  // Told from the start again, what went is still told once.
  await archive.forget([await archive.resolveChat('aaaa')])
  assert.ok(await archive.movePushCursor('own', undefined, cursor!))
  await archive.pushFromTheStart('own')
  const [{ pushed: again } = {}] = await archive.spaces()
  assert.deepEqual((await all(archive, again)).told, ['gone aaaa'])
})

test('whoever pushed a page finds out that all is to be told again, though nothing changed and it was at the start', async () => {
  const { archive, lease } = await made()
  const cursor = async () => (await archive.spaces())[0]?.pushed
  await archive.saveSpace('team')
  await archive.write([reading('aaaa', [message('a', 1)])], lease)
  for (const times of ['before the first push', 'at the start', 'at the start again']) {
    const before = await cursor()
    const page = await archive.changesSince(before)
    await archive.pushFromTheStart('team')
    const start = await cursor()
    assert.equal(await archive.movePushCursor('team', before, page.cursor), false, times)
    assert.equal(await cursor(), start, times)
    assert.equal((await archive.changesSince(start)).chats.length, 1, times)
  }
  const page = await archive.changesSince(await cursor())
  assert.equal(await archive.movePushCursor('team', await cursor(), page.cursor), true)
  assert.equal(await cursor(), page.cursor)
})

test('nothing is noted without a space, and what all spaces have pushed is not kept', async () => {
  const { archive, lease, hub, folder } = await made()
  const rows = (table: string) => {
    const connection = connect(folder)
    const { n } = connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()!
    connection.close()
    return n
  }
  await archive.write([reading('aaaa', [message('a', 1)])], lease)
  assert.equal(rows('change_log'), 0)
  for (const space of ['own', 'team']) await archive.saveSpace(space)
  const [own, team] = [await archive.changesSince(undefined), await archive.changesSince(undefined)]
  await archive.saveSpace('own', { state: { batch: 7 } })
  await archive.movePushCursor('own', undefined, own.cursor)
  await archive.movePushCursor('team', undefined, team.cursor)
  await archive.write([reading('aaaa', [message('b', 2)], { begins: false })], lease)
  await archive.movePushCursor('own', own.cursor, (await archive.changesSince(own.cursor)).cursor)
  assert.equal(rows('change_log'), 2)
  await archive.movePushCursor('team', team.cursor, (await archive.changesSince(team.cursor)).cursor)
  assert.equal(rows('change_log'), 0)
  assert.deepEqual(
    (await archive.spaces()).map(({ space, state }) => [space, state]),
    [
      ['own', { batch: 7 }],
      ['team', undefined],
    ],
  )
  await archive.write([reading('aaaa', [message('c', 3)], { begins: false })], lease)
  for (const space of ['own', 'team']) await archive.removeRemote({ space }, hub)
  assert.equal(rows('change_log'), 0)
})

test('property: what is pushed and pulled in any pieces is what was read, in its order', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const below = dice(seed)
    const [here, there] = [await made(), await made()]
    await here.archive.saveSpace('own')
    let cursor: PushCursor | undefined
    let pulled = 0
    const files = Array.from({ length: 4 }, (_, n) => ({
      path: `/f${n}`,
      chat: `chat${n >> 1}`,
      generation: 0,
      told: [] as Message[],
    }))
    for (let step = 0; step < 30; step++) {
      const file = files[below(files.length)]!
      if (below(12) === 0) {
        const chat = await here.archive.resolveChat(file.chat).catch(() => undefined)
        if (chat) {
          await here.archive.forget([chat])
          await here.archive.letBack((await here.archive.forgottenChats())[0]!)
          for (const each of files)
            if (each.chat === file.chat) Object.assign(each, { told: [], generation: each.generation + 1 })
        }
      } else await here.archive.write([nextReading(file, below)], here.lease)
      if (below(2) === 0) {
        const changes = await here.archive.changesSince(cursor, { limit: 1 + below(5) })
        cursor = changes.cursor
        pulled = await replay(there, changes, pulled)
      }
    }
    for (let done = false; !done; ) {
      const changes = await here.archive.changesSince(cursor, { limit: 3 })
      ;({ cursor, done } = changes)
      pulled = await replay(there, changes, pulled)
    }
    assert.deepEqual(await stateOf(there.archive), await stateOf(here.archive), `seed ${seed}`)
    assert.deepEqual(await there.archive.check({ deep: true }), [])
    for (const { archive } of [here, there]) await archive.close()
  }
})

async function replay({ archive, hub }: Made, { gone, chats }: LocalChanges, from: number): Promise<number> {
  const removed = (id: string) =>
    gone.flatMap((each) => (each.id === id && each.message ? [each.message] : []))
  const lost = gone.filter(({ message: one, id }) => one && !chats.some(({ chat }) => chat.id === id))
  const page = { space: 'own', kind: 'own' as const, from, to: from + 1 }
  const whole = gone.flatMap(({ source, id, message: one }) => (one ? [] : [{ author: 'me', source, id }]))
  const told = chats.map(({ chat, messages }) => ({
    ...{ author: 'me', machine: 'here', chat: chat as Chat, messages },
    removed: removed(chat.id),
  }))
  const alone = [...new Set(lost.map(({ id }) => id))].map((id) => ({
    ...{ author: 'me', machine: 'here', chat: { source: 'codex', id }, messages: [], removed: removed(id) },
  }))
  const result = await archive.applyRemote({ ...page, chats: [...alone, ...told], gone: whole }, hub)
  assert.ok(result.applied)
  return from + 1
}

async function stateOf(archive: Archive): Promise<unknown> {
  const chats = await archive.listChats({}, { limit: 100 })
  const told = await Promise.all(
    chats.map(async (chat) => ({
      id: chat.id.replace('@me', ''),
      said: (await archive.messages(chat)).map(
        ({ id, text, undone }) => `${id} ${text}${undone ? ' (undone)' : ''}`,
      ),
    })),
  )
  return told.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function nextReading(
  file: { path: string; chat: string; generation: number; told: Message[] },
  below: (end: number) => number,
): UnitReading {
  const isRewritten = file.generation === 0 || below(4) === 0
  if (isRewritten) {
    file.generation++
    file.told = file.told.filter(() => below(4) > 0)
  }
  const fresh = Array.from({ length: 1 + below(3) }, (_, n) => {
    const order = (file.told.at(-1)?.order ?? 0) + 1 + n + below(4)
    return message(`${file.path}-${file.generation}-${order}`, order, `says ${below(100)}`)
  }).sort((a, b) => a.order - b.order)
  const known = new Set(file.told.map(({ id }) => id))
  const added = fresh.filter(({ id }, n) => !known.has(id) && fresh.findIndex((each) => each.id === id) === n)
  file.told.push(...added)
  const { path: place, chat, generation } = file
  return reading(chat, isRewritten ? file.told : added, {
    ...{ path: place, rank: Number(place.at(-1)) % 2, generation, begins: isRewritten },
    completes: isRewritten && generation > 1,
  })
}

function dice(seed: number): (end: number) => number {
  let state = seed * 2_654_435_761
  return (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * end)
  }
}
