import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { redactJsonIn } from '../../platform/redact.ts'
import type { Archive, ArchivedMessage, Lease } from '../archive.ts'
import { makeBackup } from './backup.ts'
import { DAMAGED_BYTES, dice, makeArchive, partsOf, readingOf } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'
import { type Repaired, repair } from './repair.ts'

/** More by REPAIR_DAMAGES. */
const DAMAGES = Number(process.env.REPAIR_DAMAGES ?? 20)

const CHATS = 16

let home: string
let whole: Buffer
let expected: Map<string, unknown>
let messages: Map<string, Map<string, ArchivedMessage>>

before(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-repair-'))
  await makeArchive(path.join(home, 'whole'), CHATS)
  whole = fs.readFileSync(path.join(home, 'whole', 'archive.db'))
  const archive = openSqliteArchive(path.join(home, 'whole'))
  expected = await partsOf(archive, CHATS)
  messages = await messagesOf(archive)
  await archive.close()
  await makeBackup(path.join(home, 'whole'))
})

after(() => fs.rmSync(home, { recursive: true, force: true }))

async function messagesOf(archive: Archive): Promise<Map<string, Map<string, ArchivedMessage>>> {
  const all = new Map<string, Map<string, ArchivedMessage>>()
  for (const chat of await archive.listChats({ subagents: true }, { limit: 1000 }))
    all.set(chat.id, new Map((await archive.messages(chat)).map((message) => [message.id, message])))
  return all
}

/** A folder with these bytes as its archive, gone after the work. */
async function damaged(
  bytes: Buffer,
  work: (folder: string) => Promise<void>,
  { withBackup = false } = {},
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(home, 'damaged-'))
  try {
    fs.writeFileSync(path.join(folder, 'archive.db'), bytes)
    if (withBackup)
      fs.cpSync(path.join(home, 'whole', 'backups'), path.join(folder, 'backups'), { recursive: true })
    await work(folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** The chats that the damaged archive still gives as they were. */
async function readableIn(folder: string): Promise<Map<string, unknown>> {
  try {
    const archive = openSqliteArchive(folder)
    const parts = await partsOf(archive, CHATS)
    await archive.close()
    return new Map(
      [...parts].filter(
        ([name, part]) =>
          name.startsWith('chat') &&
          !(part instanceof Error) &&
          isDeepStrictEqual(said(part), said(expected.get(name))),
      ),
    )
  } catch {
    return new Map()
  }
}

/** Nothing that could be read is lost, no word is another one, and what is missing is told. */
async function assertRepaired(
  folder: string,
  readable: Map<string, unknown>,
  repaired: Repaired,
  what: string,
): Promise<void> {
  const archive = openSqliteArchive(folder)
  try {
    assert.deepEqual(await archive.check({ deep: true }), [], what)
    const parts = await partsOf(archive, CHATS)
    for (const name of readable.keys())
      assert.deepEqual(said(parts.get(name)), said(expected.get(name)), `${what}: ${name}`)
    const found = await messagesOf(archive)
    for (const [id, told] of found) {
      if (id.startsWith('recovered-')) continue
      for (const [number, message] of told)
        assert.equal(message.text, messages.get(id)?.get(number)?.text, `${what}: ${id} ${number}`)
    }
    for (const [id, told] of messages) {
      const missing = [...told.keys()].filter((each) => !found.get(id)?.has(each))
      const report = repaired.damaged.find((each) => each.id === id)
      // Of an empty file nobody can tell what was in it.
      const isUnknown = found.size === 0 || [...found.keys()].some((each) => each.startsWith('recovered-'))
      if (missing.length > 0 && !isUnknown)
        assert.equal(
          (report?.missing.length ?? 0) + (report?.unnamed ?? 0),
          missing.length,
          `${what}: ${id} lost ${missing.length}, and the report says ${JSON.stringify(report)}`,
        )
    }
  } finally {
    await archive.close()
  }
}

/** Chat, messages and outline of a part, without the keys, which may be others. */
function said(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part ?? null, (name, value) => (name === 'key' ? undefined : value)))
}

async function everythingIs(folder: string, what: string): Promise<void> {
  const archive = openSqliteArchive(folder)
  try {
    assert.deepEqual(await archive.check({ deep: true }), [], what)
    const parts = await partsOf(archive, CHATS)
    for (const [name, part] of expected)
      if (name !== 'vectors') assert.deepEqual(said(parts.get(name)), said(part), `${what}: ${name}`)
  } finally {
    await archive.close()
  }
}

function damage(random: () => number): { bytes: Buffer; what: string } {
  const bytes = Buffer.from(whole)
  const at = Math.floor(random() * (bytes.length - DAMAGED_BYTES))
  for (let i = 0; i < DAMAGED_BYTES; i++) bytes[at + i] = Math.floor(random() * 256)
  return { bytes, what: `damage at byte ${at}` }
}

test('of a damaged archive everything readable is kept, and what is lost is said', async () => {
  const random = dice(77)
  for (let number = 0; number < DAMAGES; number++) {
    const { bytes, what } = damage(random)
    await damaged(bytes, async (folder) => {
      const readable = await readableIn(folder)
      const repaired = repair(folder)
      await assertRepaired(folder, readable, repaired, what)
      assert.deepEqual(
        fs.readdirSync(folder).filter((name) => name.includes('repairing')),
        [],
      )
      assert.ok(repaired.setAside && fs.existsSync(repaired.setAside), what)
    })
  }
})

test('with a backup nothing is lost that it had', async () => {
  const random = dice(4711)
  for (let number = 0; number < DAMAGES; number++) {
    const { bytes, what } = damage(random)
    await damaged(
      bytes,
      async (folder) => {
        repair(folder)
        await everythingIs(folder, what)
      },
      { withBackup: true },
    )
  }
})

const GONE: Record<string, (bytes: Buffer) => Buffer> = {
  'its header is gone': (bytes) => bytes.fill(0, 0, 100),
  'its first page is gone': (bytes) => bytes.fill(0xff, 0, 16_384),
  'its end is gone': (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6) + 1000),
  'its first half is gone': (bytes) => bytes.fill(0, 0, bytes.length >> 1),
  'a fifth of its pages are gone': (bytes) => {
    const random = dice(5)
    for (let at = 0; at < bytes.length; at += 16_384) if (random() < 0.2) bytes.fill(0xaa, at, at + 16_384)
    return bytes
  },
  'it is empty': () => Buffer.alloc(0),
}

for (const [what, change] of Object.entries(GONE))
  test(`an archive is repaired where ${what}`, async () => {
    await damaged(change(Buffer.from(whole)), async (folder) => {
      const readable = await readableIn(fs.mkdtempSync(path.join(folder, 'none-')))
      await assertRepaired(folder, readable, repair(folder), what)
    })
    await damaged(
      change(Buffer.from(whole)),
      async (folder) => {
        repair(folder)
        await everythingIs(folder, what)
      },
      { withBackup: true },
    )
  })

test('what was known to be a secret in a chat is masked after a repair, though the message that named it is lost', async () => {
  const folder = fs.mkdtempSync(path.join(home, 'secret-'))
  const file = path.join(folder, 'archive.db')
  const said = 'why is tamarind42vibe refused?'
  const reading = readingOf(0, dice(3))
  // In blocks of their own: one can be damaged without the other.
  const filler = 'quince '.repeat(12_000)
  for (const [i, text] of [`DB_PASSWORD=tamarind42vibe ${filler}`, filler, filler, said].entries())
    reading.messages[i]!.message.text = text
  let archive = openSqliteArchive(folder)
  let lease = (await archive.takeLease('test')) as Lease
  await archive.write([reading], lease)
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
  await archive.close()
  const masked = async () => {
    const chat = await archive.resolveChat('claude-code:chat-0')
    const message = (await archive.messages(chat)).find(({ id }) => id === '0-3')
    return redactJsonIn(message?.text, archive.secretsSeen(chat.key))
  }
  archive = openSqliteArchive(folder)
  assert.equal(await masked(), 'why is [redacted: secret] refused?')
  await archive.close()

  const db = new DatabaseSync(file)
  db.exec(`UPDATE block SET texts = zeroblob(length(texts))
    WHERE key = (SELECT block FROM chat_message WHERE id = '0-0')`)
  db.close()
  const { damaged: lost } = repair(folder)
  assert.deepEqual(lost[0]?.missing.includes('0-0'), true)
  archive = openSqliteArchive(folder)
  assert.equal(await masked(), 'why is [redacted: secret] refused?')
  lease = (await archive.takeLease('test')) as Lease
  await archive.markSynced(lease)
  assert.equal(await masked(), 'why is [redacted: secret] refused?')
  await archive.close()
})

test('what is known of the spaces of a hub stays, and all is pulled and pushed again', async () => {
  const folder = fs.mkdtempSync(path.join(home, 'hub-'))
  fs.writeFileSync(path.join(folder, 'archive.db'), whole)
  const rows = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(path.join(folder, 'archive.db'))
    work(db)
    db.close()
  }
  rows((db) =>
    db.exec(`INSERT INTO hub_space (space, pulled, pushed, state) VALUES ('team', 9, '{"log":3,"gone":1}', '{"key":1}');
      INSERT INTO remote_chat (space, author, source, id, chat) VALUES ('team', 'kim', 'codex', 'c1', 2), ('team', 'kim', 'codex', 'c2', 999);
      INSERT INTO change_gone (source, id, message) VALUES ('codex', 'erased', '')`),
  )
  repair(folder)
  rows((db) => {
    const plain = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row))
    assert.deepEqual(plain('SELECT space, kind, pulled, pushed, state FROM hub_space'), [
      ['team', 'team', 0, '{"log":0,"gone":0,"scan":{"chat":0,"place":0}}', '{"key":1}'],
    ])
    assert.deepEqual(plain('SELECT space, author, source, id, chat FROM remote_chat ORDER BY id'), [
      ['team', 'kim', 'codex', 'c1', 2],
      ['team', 'kim', 'codex', 'c2', null],
    ])
    assert.deepEqual(plain('SELECT source, id, message FROM change_gone'), [['codex', 'erased', '']])
  })
})
