import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { BODY_COLUMNS, Bodies, type BodyPlace } from './blocks.ts'
import { connect } from './connection.ts'
import { openSqliteArchive } from './index.ts'

const folders: string[] = []
let folder: string
let archive: Archive
let lease: Lease

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-blocks-'))
  folders.push(folder)
  archive = openSqliteArchive(folder)
  lease = (await archive.takeLease('test')) as Lease
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

function message(n: number, text: string, more: Partial<Message> = {}): Message {
  return {
    id: `m${n}`,
    order: n,
    role: 'user',
    kind: 'request',
    createdAt: 1_700_000_000_000 + n,
    text,
    ...more,
  }
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

/** Runs SQL on the archive's file beside the archive itself. */
function rows(sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

test('messages of any number and size come back as they were told, one by one and all at once', async () => {
  const long = 'длинный ответ 長い 🦊\n'.repeat(40_000)
  const all = Array.from({ length: 400 }, (_, n) =>
    message(n, n % 7 === 0 ? '' : `number ${n} ${'word '.repeat(n % 50)}`, {
      ...(n % 3 === 0 && { thinking: `thought ${n}` }),
      ...(n % 90 === 5 && { toolResults: [{ callId: 'c', text: long }] }),
    }),
  )
  await archive.write([reading('c1aa', all)], lease)
  const chat = await archive.resolveChat('c1aa')
  const plain = (list: Message[]) =>
    list.map(({ id, text, thinking, toolResults }) => ({ id, text, thinking, toolResults }))
  assert.deepEqual(plain(await archive.messages(chat)), plain(all))
  for (const n of [0, 5, 6, 127, 128, 399])
    assert.deepEqual(plain(await archive.messages(chat, { from: n, to: n })), plain([all[n]!]))
  const { sizes } = await archive.outline(chat)
  assert.equal(sizes.length, 400)
  assert.ok(sizes[5]! > long.length)
  // Those with a long answer have a block for themselves, so that their neighbours are read quickly.
  assert.ok(rows('SELECT bytes FROM block WHERE messages > 1').every(({ bytes }) => Number(bytes) < 260_000))
})

test('one message at a time gives the same blocks as all at once', async () => {
  const all = Array.from({ length: 300 }, (_, n) => message(n, `number ${n} of many words`))
  await archive.write([reading('atonce', all)], lease)
  for (const each of all) await archive.write([reading('growing', [each])], lease)
  const blocks = rows(
    'SELECT chat.id, count(*) AS blocks, sum(octet_length(texts)) AS bytes FROM block JOIN chat ON chat.key = block.chat GROUP BY 1 ORDER BY 1',
  )
  assert.equal(blocks[0]!.blocks, blocks[1]!.blocks)
  assert.equal(blocks[0]!.bytes, blocks[1]!.bytes)
})

test('a message in a full block changes, grows long, shrinks and vanishes; its neighbours stay', async () => {
  const all = Array.from({ length: 300 }, (_, n) => message(n, `number ${n}`))
  await archive.write([reading('c1aa', all)], lease)
  const chat = await archive.resolveChat('c1aa')
  const texts = async () => (await archive.messages(chat)).map(({ text }) => text)
  const expected = all.map(({ text }) => text)
  for (const text of ['changed', 'x'.repeat(300_000), 'short again', '']) {
    await archive.write([reading('c1aa', [message(17, text)])], lease)
    expected[17] = text
    assert.deepEqual(await texts(), expected)
  }
  const better = reading('c1aa', [message(900, 'of a better file')], { path: '/better', rank: 5 })
  await archive.write([better], lease)
  await archive.write([reading('c1aa', all.slice(1), { generation: 2, completes: true })], lease)
  assert.deepEqual(await texts(), [...all.slice(1).map(({ text }) => text), 'of a better file'])
})

test('a damaged block is an error that names its chat, never wrong text; other chats are read', async () => {
  const words = Array.from({ length: 100 }, (_, n) => message(n, `a telling line ${n * 7919} of chat one`))
  await archive.write([reading('damaged-1', words), reading('sound-1', [message(1, 'all is well')])], lease)
  await archive.releaseLease(lease)
  await archive.close()
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  const { key, texts } = db
    .prepare(`SELECT block.key, texts FROM block JOIN chat ON chat.key = block.chat WHERE id = 'damaged-1'`)
    .get()! as { key: number; texts: Uint8Array }
  const undamaged = Uint8Array.from(texts)
  for (let place = 8; place < undamaged.length; place += 97) {
    const bytes = Uint8Array.from(undamaged)
    bytes[place]! ^= 0x10
    db.prepare('UPDATE block SET texts = ? WHERE key = ?').run(bytes, key)
    const again = openSqliteArchive(folder)
    await assert.rejects(
      again.messages(await again.resolveChat('damaged-1')),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'ARCHIVE_DAMAGED')
        return error.message.includes('codex:damaged-1')
      },
    )
    assert.equal((await again.messages(await again.resolveChat('sound-1')))[0]!.text, 'all is well')
    await again.close()
  }
  db.close()
  archive = openSqliteArchive(folder)
  lease = (await archive.takeLease('test')) as Lease
  await archive.write([reading('damaged-1', [message(500, 'said after the damage')])], lease)
  const chat = await archive.resolveChat('damaged-1')
  assert.equal((await archive.messages(chat, { from: 100 }))[0]!.text, 'said after the damage')
})

test('after forget no byte of a block is left, nor of what it held before it was changed', async () => {
  const secret = Array.from({ length: 60 }, (_, n) =>
    message(n, `xylophone ${n * 7919} quartz ${n * 104729}`),
  )
  await archive.write([reading('c1aa', secret), reading('c2bb', [message(1, 'harmless')])], lease)
  const slices: Buffer[] = []
  const remember = () => {
    for (const { data } of rows(
      `SELECT texts AS data FROM block JOIN chat ON chat.key = block.chat WHERE chat.id = 'c1aa'
       UNION ALL SELECT details FROM block_detail WHERE key IN (SELECT block.key FROM block JOIN chat ON chat.key = block.chat WHERE chat.id = 'c1aa')`,
    )) {
      const bytes = Buffer.from(data as Uint8Array)
      for (let at = 40; at + 24 < bytes.length; at += 200) slices.push(bytes.subarray(at, at + 24))
    }
  }
  remember()
  for (let n = 60; n < 140; n++) {
    const detail = {
      toolResults: [{ callId: 'c', text: `marimba ${n * 15485863}` }],
      toolCalls: [{ id: 'c', tool: `tool_of_${n}` }],
    }
    await archive.write([reading('c1aa', [message(n, `glockenspiel ${n * 7919}`, detail)])], lease)
    if (n % 10 === 0) remember()
  }
  assert.ok(slices.length > 20)
  assert.ok(slices.some(fileHas), 'the test finds nothing')
  assert.ok(fileHas(Buffer.from('tool_of_61')))
  assert.equal((await archive.forget([await archive.resolveChat('c1aa')])).pending, false)
  assert.deepEqual(slices.filter(fileHas), [])
  assert.ok(!fileHas(Buffer.from('tool_of_61')))
  assert.deepEqual(
    rows('SELECT chat.id FROM block JOIN chat ON chat.key = block.chat').map(({ id }) => id),
    ['c2bb'],
  )
  assert.equal((await archive.messages(await archive.resolveChat('c2bb')))[0]!.text, 'harmless')
})

function fileHas(bytes: Buffer): boolean {
  return fs.readdirSync(folder).some((name) => fs.readFileSync(path.join(folder, name)).includes(bytes))
}

test('messages are found by the beginning of their id, however it is stored', async () => {
  const uuid = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
  const ids = [uuid, `request_${uuid}`, 'msg_01abcdef', 'plain', 'REQUEST_1']
  const told = ids.map((id, n) => message(n, id, { id }))
  await archive.write([reading('c1aa', told)], lease)
  const found = async (prefix: string) =>
    (await archive.messagesBegunWith(prefix, 10)).map(({ message: { id } }) => id).sort()
  assert.deepEqual(await found('0a1b'), [uuid])
  assert.deepEqual(await found('0a1b2c3d-4e5f'), [uuid])
  assert.deepEqual(await found(uuid), [uuid])
  assert.deepEqual(await found('0a1c'), [])
  assert.deepEqual(await found('request_0a1'), [`request_${uuid}`])
  assert.deepEqual(await found('requ'), [`request_${uuid}`])
  assert.deepEqual(await found('msg_01'), ['msg_01abcdef'])
  assert.deepEqual(await found('plain'), ['plain'])
  assert.deepEqual(await found('%'), [])
})

test('a chat without dates has none, though its source says 1970', async () => {
  const undated = reading('c1aa', [message(1, 'when', { createdAt: 0 })])
  undated.chats = [{ source: 'codex', id: 'c1aa', createdAt: 0, updatedAt: -1 }]
  await archive.write([undated, reading('c2bb', [message(1, 'dated')])], lease)
  const [dated, without] = await archive.listChats({})
  assert.deepEqual([dated!.id, without!.id], ['c2bb', 'c1aa'])
  assert.deepEqual([without!.createdAt, without!.updatedAt], [undefined, undefined])
  assert.equal((await archive.messages(without!))[0]!.createdAt, undefined)
  assert.ok((await archive.usage({}, 'day')).rows.every(({ day }) => !day.startsWith('1970')))
})

test('in one room that is used again and again every text stays its own', async () => {
  const textOf = (n: number) => `${n} ${String.fromCharCode(97 + (n % 26)).repeat(1 + ((n * 7919) % 60_000))}`
  const count = 260
  await archive.write(
    [
      reading(
        'long',
        [...Array(count).keys()].map((n) => message(n, textOf(n))),
      ),
    ],
    lease,
  )
  const connection = connect(folder)
  const bodies = new Bodies(connection, { hasRoom: true })
  const places = connection
    .prepare(`SELECT ${BODY_COLUMNS}, place FROM chat_message ORDER BY place`)
    .all() as unknown as (BodyPlace & { place: number })[]
  assert.equal(places.length, count)
  let at = 1
  for (let turn = 0; turn < 2_000; turn++) {
    at = (at * 48_271) % 2_147_483_647
    const row = places[at % count]!
    assert.equal(bodies.text(row), textOf(row.place))
    if (turn % 700 === 699) bodies.forgetAll()
  }
  connection.close()
})
