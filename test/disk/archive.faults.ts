import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import type { Archive } from '../../src/archive/archive.ts'
import { backupsIn } from '../../src/archive/backups.ts'
import { makeBackup } from '../../src/archive/sqlite/backup.ts'
import { connect } from '../../src/archive/sqlite/connection.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { createTables } from '../../src/archive/sqlite/migrate.ts'
import { repair } from '../../src/archive/sqlite/repair.ts'
import { restore } from '../../src/archive/sqlite/restore.ts'
import { forgetInBackups, redactBackups } from '../../src/archive/sqlite/rewrite-backups.ts'
import { appendContext } from '../../src/context/append.ts'
import { contextPlace } from '../../src/context/place.ts'
import { claudeCode } from '../../src/sources/claude-code/index.ts'
import { syncOnce } from '../../src/sync/once.ts'
import { type Content, contentOf } from '../archive-content.ts'
import { layeredFolder } from './layer.ts'
import { sweepDisk } from './sweep.ts'

/** What was said: in each chat a word of its own, and in one a secret. */
const CHATS = { a: 'heliotrope', b: 'kingfisher', c: 'saxifrage' }
const SECRET = 'tamarind42vibe'
/** Of all tests: archives of one chat and of all, and what is in them. */
const made = layeredFolder()
const home = path.join(made, 'home')
const [older, whole] = [path.join(made, 'older'), path.join(made, 'whole')]
let expected: { older: Content; whole: Content }

function write(chat: keyof typeof CHATS): void {
  const folder = path.join(home, '.claude', 'projects', 'shop')
  fs.mkdirSync(folder, { recursive: true })
  const word = CHATS[chat]
  const say = (n: number, role: string, content: string) =>
    `${JSON.stringify({
      type: role,
      uuid: `${chat}-${n}`,
      parentUuid: n > 0 ? `${chat}-${n - 1}` : null,
      sessionId: `chat-${chat}`,
      timestamp: new Date(Date.UTC(2026, 4, 1, 10, n)).toISOString(),
      cwd: '/work/shop',
      message: { role, content },
    })}\n`
  const lines = Array.from({ length: 6 }, (_, n) =>
    say(n, n % 2 ? 'assistant' : 'user', `The ${word} of round ${n} ${`${word}${n} `.repeat(40)}`),
  )
  if (chat === 'b') lines.push(say(6, 'user', `DB_PASSWORD=${SECRET}`))
  fs.writeFileSync(path.join(folder, `chat-${chat}.jsonl`), lines.join(''))
}

const machine = { platform: 'linux' as const, home, env: {} }
const sync = async (archive: Archive) => await syncOnce({ archive, sources: [claudeCode], machine })

/** As another process: the one that failed has ended, and its lease with it. */
async function syncNext(folder: string): Promise<void> {
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  db.exec('DELETE FROM lease')
  db.close()
  await opened(folder, sync)
}

async function opened<T>(folder: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = openSqliteArchive(folder)
  try {
    return await work(archive)
  } finally {
    await archive.close()
  }
}

before(async () => {
  write('a')
  await opened(older, sync)
  const first = await opened(older, (archive) => contentOf(archive))
  write('b')
  write('c')
  fs.cpSync(older, whole, { recursive: true })
  await opened(whole, sync)
  expected = { older: first, whole: await opened(whole, (archive) => contentOf(archive)) }
  // Every second is looked at again.
  await opened(whole, async (archive) => assert.deepEqual(await archive.check({ deep: true }), []))
})

const copied = (from: string) => (folder: string) =>
  fs.copyFileSync(path.join(from, 'archive.db'), path.join(folder, 'archive.db'))

/** What work begins with, made once and copied for each time. */
async function template(make: (folder: string) => Promise<unknown>): Promise<(folder: string) => void> {
  const kept = fs.mkdtempSync(path.join(made, 'template-'))
  await make(kept)
  return (folder) => fs.cpSync(kept, folder, { recursive: true })
}

/** The whole archive, with a backup of it. */
const backedUp = async (folder: string) => {
  copied(whole)(folder)
  await makeBackup(folder)
}

/** The archive opens, is sound, and what was there before is there as it was. */
async function assertKept(folder: string, chats: (keyof typeof CHATS)[], what: string): Promise<void> {
  await opened(folder, async (archive) => {
    assert.deepEqual(await archive.check({ deep: true }), [], what)
    if (chats.length === 0) return
    const content = (await contentOf(archive, { search: false })) as { chats: [{ id: string }, unknown[]][] }
    const all = (expected.whole as typeof content).chats
    for (const chat of chats) {
      const id = `chat-${chat}`
      const find = (list: typeof all) => list.find(([each]) => each.id === id)?.[1]
      assert.deepEqual(find(content.chats), find(all), what)
    }
  })
}

let compared = 0

/** All is there; and found, which is looked at now and then, as it takes longer than all the rest. */
async function assertWhole(folder: string, what: string): Promise<void> {
  const search = compared++ % 8 === 0
  const { searches, ...rest } = expected.whole
  const wanted = { ...rest, searches: search ? searches : [] }
  assert.deepEqual(await opened(folder, (archive) => contentOf(archive, { search })), wanted, what)
}

/** Nothing but the archive, once it was closed, and what else is named. */
function assertNothingElse(folder: string, names: string[], what: string): void {
  const left = fs.readdirSync(folder).filter((name) => !['archive.db', ...names].includes(name))
  assert.deepEqual(left, [], what)
}

/** Bytes of a word in any file of a folder. */
function holding(folder: string, word: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name)).includes(word))
}

test('a first sync', async (t) => {
  await sweepDisk(
    t,
    () => {},
    (_, folder) => opened(folder, sync),
    async (_, folder, { what }) => {
      await assertKept(folder, [], what)
      await syncNext(folder)
      await assertWhole(folder, what)
      assertNothingElse(folder, [], what)
    },
  )
})

test('a sync of what is new', async (t) => {
  await sweepDisk(
    t,
    copied(older),
    (_, folder) => opened(folder, sync),
    async (_, folder, { what }) => {
      await assertKept(folder, ['a'], what)
      await syncNext(folder)
      await assertWhole(folder, what)
      assertNothingElse(folder, [], what)
    },
  )
})

test('an update from an older version', async (t) => {
  await sweepDisk(
    t,
    (folder) => {
      const db = new DatabaseSync(path.join(folder, 'archive.db'))
      createTables(db, 0, 2)
      db.exec(`INSERT INTO chat (source, id, title, messages) VALUES ('codex', 'old', 'An old chat', 1);
        INSERT INTO message (chat, id, generation, rank, hash, position, place, role, kind, text)
        VALUES (1, 'm', 1, 0, 5, 0, 0, 'user', 'request', 'what was said long ago')`)
      db.close()
    },
    (_, folder) => connect(folder).close(),
    async (_, folder, { what }) => {
      await opened(folder, async (archive) => {
        const [message] = await archive.messages(await archive.resolveChat('codex:old'))
        assert.equal(message?.text, 'what was said long ago', what)
      })
      const copies = fs.readdirSync(folder).filter((name) => name !== 'archive.db')
      assert.equal(copies.length, 1, `${what}: ${copies}`)
      assert.match(copies[0]!, /^archive-of-.*\.db$/, what)
    },
  )
})

test('a backup', async (t) => {
  await sweepDisk(
    t,
    await template(async (folder) => {
      copied(older)(folder)
      await makeBackup(folder)
      copied(whole)(folder)
    }),
    async (_, folder) => await makeBackup(folder),
    async (_, folder, { error, what, mayLeave }) => {
      const backups = path.join(folder, 'backups')
      const strays = () => fs.readdirSync(backups).filter((name) => !/^[^.]+\.(?:backup|pages)$/.test(name))
      if (!mayLeave) assert.deepEqual(strays(), [], what)
      await assertKept(folder, ['a', 'b', 'c'], what)
      const [newest, ...others] = backupsIn(backups)
      if (!error) assert.equal(others.length, 1, what)
      for (const [i, backup] of [newest!, ...others].entries()) {
        const restored = path.join(folder, `restored-${i}`)
        restore(restored, backup)
        await assertKept(restored, ['a'], what)
        fs.rmSync(restored, { recursive: true })
      }
      await makeBackup(folder)
      assert.deepEqual(strays(), [], what)
      const lists = backupsIn(backups).length
      const packs = fs.readdirSync(backups).filter((name) => name.endsWith('.pages')).length
      assert.ok(packs <= lists, `${what}: ${packs} packs for ${lists} backups`)
      await assertKept(folder, ['a', 'b', 'c'], what)
      assertNothingElse(folder, ['backups'], what)
    },
  )
})

test('a restore', async (t) => {
  const from = path.join(made, 'backed-up')
  fs.mkdirSync(from)
  await backedUp(from)
  const [backup] = backupsIn(path.join(from, 'backups'))
  await sweepDisk(
    t,
    copied(older),
    (_, folder) => restore(folder, backup!),
    async (_, folder, { error, what, mayLeave }) => {
      await assertKept(folder, error ? ['a'] : ['a', 'b', 'c'], what)
      const left = fs.readdirSync(folder).filter((name) => name.includes('restoring'))
      if (!mayLeave) assert.deepEqual(left, [], what)
      if (error) restore(folder, backup!)
      // What could not be removed at its end goes with the next sync.
      if (mayLeave) await syncNext(folder)
      await assertKept(folder, ['a', 'b', 'c'], what)
      for (const name of fs.readdirSync(folder))
        assert.match(name, /^archive(?:\.db|-set-aside-[\dTZ-]+\.db(?:-wal|-shm)?)$/, what)
    },
  )
})

test('a forget, of a chat and in the backups', async (t) => {
  await sweepDisk(
    t,
    await template(backedUp),
    async (_, folder) =>
      await opened(folder, async (archive) => {
        await archive.forget([await archive.resolveChat('chat-b')])
        const { left } = await forgetInBackups(folder, await archive.forgottenChats())
        assert.deepEqual(left, [])
      }),
    async (_, folder, { error, what, mayLeave }) => {
      await assertKept(folder, ['a', 'c'], what)
      const isForgotten = await opened(folder, async (archive) => {
        const isGone = await archive.isForgotten('claude-code', 'chat-b')
        assert.equal(await archive.chatCount(), isGone ? 2 : 3, what)
        return isGone
      })
      if (!error) assert.ok(isForgotten, what)
      if (!mayLeave) assertNothingElse(path.join(folder, 'backups'), namesOfBackups(folder), what)
      if (!isForgotten) await assertKept(folder, ['b'], what)
      const restored = path.join(folder, 'restored')
      restore(restored, backupsIn(path.join(folder, 'backups'))[0]!)
      await assertKept(restored, ['a', 'c'], what)
      fs.rmSync(restored, { recursive: true })
      // What was not done is done by the next one, and by the next sync.
      await opened(folder, async (archive) => {
        if (!isForgotten) await archive.forget([await archive.resolveChat('chat-b')])
        await sync(archive)
        assert.deepEqual((await forgetInBackups(folder, await archive.forgottenChats())).left, [], what)
      })
      assert.deepEqual(holding(folder, CHATS.b), [], what)
      assertNothingElse(path.join(folder, 'backups'), namesOfBackups(folder), what)
      assertNothingElse(folder, ['backups'], what)
    },
  )
})

test('secrets taken out at rest, of the archive and its backups', async (t) => {
  await sweepDisk(
    t,
    await template(backedUp),
    async (_, folder) =>
      await opened(folder, async (archive) => {
        await archive.redactAtRest({})
        assert.deepEqual((await redactBackups(folder)).left, [])
      }),
    async (_, folder, { what, mayLeave }) => {
      await assertKept(folder, ['a', 'c'], what)
      if (!mayLeave) assertNothingElse(path.join(folder, 'backups'), namesOfBackups(folder), what)
      await opened(folder, async (archive) => {
        await archive.redactAtRest({})
        assert.deepEqual((await redactBackups(folder)).left, [], what)
        const told = JSON.stringify(await archive.messages(await archive.resolveChat('chat-b')))
        assert.ok(told.includes(CHATS.b) && !told.includes(SECRET), what)
      })
      assert.deepEqual(holding(folder, SECRET), [], what)
      assertNothingElse(path.join(folder, 'backups'), namesOfBackups(folder), what)
      assertNothingElse(folder, ['backups'], what)
    },
  )
})

test('a repair', async (t) => {
  const damaged = fs.readFileSync(path.join(whole, 'archive.db'))
  for (let at = 16_384 * 3; at < damaged.length; at += 16_384 * 3) damaged.fill(0x5a, at, at + 400)
  await sweepDisk(
    t,
    await template(async (folder) => {
      await backedUp(folder)
      fs.writeFileSync(path.join(folder, 'archive.db'), damaged)
    }),
    (_, folder) => repair(folder),
    async (_, folder, { error, what, mayLeave }) => {
      const isAside = (name: string) => /^archive-set-aside-.*\.db(?:-wal|-shm)?$/.test(name)
      const names = fs.readdirSync(folder)
      if (!mayLeave)
        assert.deepEqual(
          names.filter((name) => !/^archive\.db(?:-wal|-shm)?$|^backups$/.test(name) && !isAside(name)),
          [],
          what,
        )
      if (error) {
        // Its first bytes say how it is written, and that changes where nobody else has it open.
        const isThere = ['archive.db', ...names.filter(isAside)].some((name) =>
          fs.readFileSync(path.join(folder, name)).subarray(100).equals(damaged.subarray(100)),
        )
        assert.ok(isThere, `${what}: the damaged one is there`)
        repair(folder)
      }
      // What could not be removed at its end goes with the next sync.
      if (mayLeave) await syncNext(folder)
      await assertKept(folder, ['a', 'b', 'c'], what)
      assertNothingElse(
        folder,
        ['backups', ...names.filter(isAside), ...fs.readdirSync(folder).filter(isAside)],
        what,
      )
    },
  )
})

test('an append to context.md', async (t) => {
  const HEAD = '# Head\n\nSaid before.\n'
  await sweepDisk(
    t,
    (workspace) => {
      fs.writeFileSync(path.join(workspace, 'context.md'), HEAD)
      return contextPlace({ workspace, env: {} }, 'WRITE_ERROR')
    },
    async (place) => await appendContext(place, { title: 'An entry', content: 'its text' }),
    async (_, workspace, { error, what, mayLeave }) => {
      const text = fs.readFileSync(path.join(workspace, 'context.md'), 'utf8')
      assert.ok(text.startsWith(HEAD), what)
      if (error) assert.ok(text === HEAD || text.includes('its text'), what)
      else assert.match(text, /its text/, what)
      if (!mayLeave) assert.deepEqual(fs.readdirSync(workspace), ['context.md'], what)
    },
  )
})

function namesOfBackups(folder: string): string[] {
  return fs.readdirSync(path.join(folder, 'backups')).filter((name) => /^[^.]+\.(?:backup|pages)$/.test(name))
}
