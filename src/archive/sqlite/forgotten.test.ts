import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import type { Chat, Message } from '../../model/chat.ts'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-forgotten-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let folder: string
let archive: Archive
let lease: Lease
let orders = 0

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(temp, 'archive-'))
  archive = openSqliteArchive(folder)
  lease = (await archive.takeLease('test')) as Lease
})

function said(text: string, more: Partial<Message> = {}): Message {
  return { id: randomUUID(), order: ++orders, role: 'user', kind: 'request', text, ...more }
}

function tells(id: string, messages: Message[], chat: Partial<Chat> = {}, born = 1): UnitReading {
  return {
    source: 'claude-code',
    path: `/home/me/${id}.jsonl`,
    rank: 0,
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, born, head: 'h', tail: 't' },
    checkpoint: { offset: 7, state: { last: messages.at(-1)?.text } },
    growth: 'append',
    generation: 1,
    chats: [{ source: 'claude-code', id, ...chat }],
    messages: messages.map((message) => ({ chatId: id, message })),
    problems: [],
    begins: true,
    completes: false,
  }
}

async function write(...readings: UnitReading[]): Promise<void> {
  await archive.write(readings, lease)
}

async function forget(id: string) {
  return await archive.forget([await archive.resolveChat(id)])
}

async function texts(id: string): Promise<string[]> {
  return (await archive.messages(await archive.resolveChat(id))).map(({ text }) => text)
}

async function ids(): Promise<string[]> {
  return (await archive.listChats({ subagents: true })).map(({ id }) => id).sort()
}

function bytesHave(text: string): boolean {
  return fs.readdirSync(folder).some((name) => fs.readFileSync(path.join(folder, name)).includes(text))
}

test('a fork made before loses the shared beginning, and keeps its own words and its place in the index', async () => {
  const shared = [said('why is the moon graphite'), said('it is not')]
  await write(tells('one', shared, { title: 'Graphite moon' }))
  await write(tells('two', [...shared, said('and mars')], { title: 'Fork: Graphite moon' }, 2))
  const forgotten = await forget('one')
  assert.deepEqual(forgotten, { chats: 1, messages: 4, pending: false, forks: ['claude-code:two'] })
  assert.deepEqual(await texts('two'), ['and mars'])
  assert.equal((await archive.resolveChat('two')).title, 'and mars')
  assert.ok(!bytesHave('raphite'))
  // Its file still tells the beginning, under the same title.
  await write({
    ...tells('two', [...shared, said('and venus')], { title: 'Fork: Graphite moon' }, 2),
    generation: 2,
  })
  assert.deepEqual(await texts('two'), ['and mars', 'and venus'])
  assert.ok(!bytesHave('raphite'))
  const size = await archive.searching(
    (view) => view.postings('said', 'mar').size + view.postings('said', 'mars').size,
  )
  assert.equal(size, 1)
})

test('a copy in which nothing else was said goes with it', async () => {
  const shared = [said('alpha'), said('beta')]
  await write(tells('one', shared), tells('two', shared, {}, 2))
  assert.equal((await forget('one')).chats, 2)
  assert.deepEqual(await ids(), [])
})

test('what a forgotten fork shares with a chat that was not forgotten stays there, also after a sync', async () => {
  const shared = [said('alpha'), said('beta')]
  const forked = [...shared, said('the words of gammaray')]
  await write(tells('one', shared))
  await write(tells('two', forked, {}, 2))
  assert.deepEqual((await forget('two')).originals, ['claude-code:one'])
  await write({ ...tells('one', shared), generation: 2, completes: true })
  await write({ ...tells('two', forked, {}, 2), generation: 2 })
  assert.deepEqual(await texts('one'), ['alpha', 'beta'])
  // A copy of the fork holds words of the forgotten one.
  await write(tells('three', [...forked, said('later')], {}, 3))
  assert.deepEqual(await ids(), ['one'])
  assert.ok(!bytesHave('gammaray'))
})

test('a copy, fork or resume under another id stays out with all that was said since', async () => {
  const first = [said('alpha'), said('beta')]
  await write(tells('one', first))
  await forget('one')
  const later = said('said after it was forgotten')
  await write(tells('one', [...first, later]))
  await write(tells('two', [...first, said('in a copy')]))
  await write(tells('three', [later, said('from the later words on')]))
  await write(tells('four', [said('told to be a fork')], { forkOf: 'one' }))
  await write(tells('five', [said('a helper of it')], { parentId: 'one', subagent: true }))
  assert.deepEqual(await ids(), [])
  const all = await archive.forgottenChats()
  assert.deepEqual(all.map(({ id, copyOf }) => [id, copyOf]).sort(), [
    ['five', 'one'],
    ['four', 'one'],
    ['one', undefined],
    ['three', 'one'],
    ['two', 'one'],
  ])
  for (const each of ['one', 'two']) {
    const unit = await archive.knownUnit('claude-code', `/home/me/${each}.jsonl`)
    assert.equal(unit?.checkpoint, undefined)
    assert.equal(unit?.fingerprint.head, '')
  }
})

test('the same words in another chat are not taken for a copy', async () => {
  const numbered = (text: string, createdAt?: number) => [
    { ...said(text, { createdAt }), id: '0' },
    { ...said('Of course, here is what you asked me for today.', { role: 'assistant' }), id: '1' },
  ]
  await write(tells('one', [said('Review my changes, please')]))
  await write(tells('dated', numbered('Translate this into German, please', 5_000), { createdAt: 5_000 }))
  await forget('one')
  await forget('dated')
  await write(tells('two', [said('Review my changes, please')]))
  await write(tells('three', numbered('Translate this into German, please', 9_000), { createdAt: 9_000 }))
  assert.deepEqual(await ids(), ['three', 'two'])
})

test('without ids and times of their own, the first two messages tell a copy', async () => {
  const opening = (answer: string) => [
    { ...said('hi'), id: '0' },
    { ...said(answer, { role: 'assistant', kind: 'answer' }), id: '1' },
  ]
  await write(tells('one', opening('Hello! Shall we look at the invoices of Tuesday?')))
  await forget('one')
  await write(tells('two', opening('Hello! Shall we look at the invoices of Tuesday?')))
  await write(tells('three', opening('Hello! What can I do for you on this fine Monday?')))
  assert.deepEqual(await ids(), ['three'])
})

test('sub-agents belong to the chat they worked for, also where they were named themselves', async () => {
  await write(tells('one', [said('alpha')]))
  await write(tells('helper', [said('beta')], { parentId: 'one', subagent: true }))
  await write(tells('second', [said('gamma')], { parentId: 'helper', subagent: true }))
  const chats = await Promise.all(['helper', 'one'].map((id) => archive.resolveChat(id)))
  assert.equal((await archive.forget(chats)).chats, 3)
  const all = await archive.forgottenChats()
  assert.deepEqual(new Map(all.map(({ id, copyOf }) => [id, copyOf])).get('helper'), 'one')
  assert.equal((await archive.letBack(all.find(({ id }) => id === 'one')!)).length, 3)
})

test('taken back, a chat and its copies are read again, and no mark of it stays', async () => {
  const first = [said('alpha'), said('beta')]
  await write(tells('one', first), tells('other', [said('gamma')]))
  await forget('one')
  await write(tells('two', [...first, said('more')], {}, 2))
  const stamps = await archive.unitStamps('claude-code')
  assert.equal(stamps.get('/home/me/two.jsonl'), '1 1 1')
  const copy = (await archive.forgottenChats()).find(({ id }) => id === 'two')!
  const back = await archive.letBack(copy)
  assert.deepEqual(back.map(({ id }) => id).sort(), ['one', 'two'])
  assert.equal(await archive.stampsVoided(), 1)
  const now = await archive.unitStamps('claude-code')
  assert.deepEqual(
    [now.get('/home/me/one.jsonl'), now.get('/home/me/two.jsonl'), now.get('/home/me/other.jsonl')],
    ['', '', '1 1 1'],
  )
  await write(tells('one', first), tells('two', [...first, said('more')], {}, 2))
  assert.deepEqual(await texts('one'), ['alpha', 'beta'])
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  assert.equal(db.prepare('SELECT count(*) AS n FROM forgotten_mark').get()!.n, 0)
  db.close()
})

test('taken back in the middle of a reading, the file is read again all the same', async () => {
  const readings = (generation: number, ...of: string[]): UnitReading => ({
    ...tells('both', []),
    growth: 'database',
    generation,
    begins: of.includes('one'),
    chats: of.map((id) => ({ source: 'claude-code', id })),
    messages: of.map((chatId) => ({ chatId, message: said(`of ${chatId}`) })),
  })
  const known = () => archive.knownUnit('claude-code', '/home/me/both.jsonl')
  await write(readings(1, 'one', 'other'))
  await forget('one')
  // A reading that goes on where the last one ended, and one from the start of which a piece is written already.
  for (const pieces of [0, 1]) {
    const { generation } = (await known())!
    for (let n = 0; n < pieces; n++) await write(readings(generation + pieces, 'one', 'other'))
    const [forgotten] = await archive.forgottenChats()
    await archive.letBack(forgotten!)
    await write(readings(generation + pieces, 'other'))
    assert.equal((await archive.unitStamps('claude-code')).get('/home/me/both.jsonl'), '')
    assert.equal((await known())!.checkpoint, undefined)
    await write(readings((await known())!.generation + 1, 'one', 'other'))
    assert.deepEqual(await ids(), ['one', 'other'])
    assert.deepEqual((await known())!.checkpoint?.offset, 7)
    await forget('one')
  }
})

test('where somebody still reads an older state, the next sync wipes the rest', async () => {
  await write(tells('one', [said('the word heliotrope')]))
  const reader = new DatabaseSync(path.join(folder, 'archive.db'), { timeout: 0 })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM chat').get()
  assert.equal((await forget('one')).pending, true)
  reader.exec('COMMIT')
  reader.close()
  await archive.markSynced(lease)
  assert.ok(!bytesHave('heliotrope'))
})

test('forgetting can be taken back more than once', async () => {
  for (const id of ['first-one', 'other-one']) {
    await write(tells(id, [said('words')]))
    await forget(id)
    const [forgotten] = await archive.forgottenChats()
    assert.equal((await archive.letBack(forgotten!)).length, 1)
  }
})
