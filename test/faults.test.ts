import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { RunLog, readRun } from '../src/agent/runs.ts'
import type { Lease } from '../src/archive/archive.ts'
import { backupsIn } from '../src/archive/backups.ts'
import { makeBackup } from '../src/archive/sqlite/backup.ts'
import { connect } from '../src/archive/sqlite/connection.ts'
import { makeArchive, partsOf, readingOf } from '../src/archive/sqlite/damage-kit.ts'
import { forget } from '../src/archive/sqlite/forget.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { takeLease } from '../src/archive/sqlite/lease.ts'
import { createTables } from '../src/archive/sqlite/migrate.ts'
import { listChats } from '../src/archive/sqlite/read.ts'
import { restore } from '../src/archive/sqlite/restore.ts'
import { write } from '../src/archive/sqlite/write.ts'
import { appendContext } from '../src/context/append.ts'
import { contextPlace } from '../src/context/place.ts'
import { FAULTS, type Fault, failNth } from './faults-kit.ts'
import { sampleMachine } from './mcp-kit.ts'
import { recollect, runCommand } from './run-cli.ts'

/** Of many calls that are alike, each so many-th is failed; every one of them with FAULTS=all. */
const STRIDE = process.env.FAULTS === 'all' ? 1 : 9
const CHATS = 8
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-faults-'))
const whole = path.join(root, 'whole')
let expected: Map<string, unknown>

before(async () => {
  await makeArchive(whole, CHATS)
  const archive = openSqliteArchive(whole)
  expected = await partsOf(archive, CHATS)
  await archive.close()
})
after(() => fs.rmSync(root, { recursive: true, force: true }))

/** Fails one call after the other of some work, each time in a folder of its own. */
async function sweep<T>(
  prepare: (folder: string) => T,
  work: (made: T, folder: string) => unknown,
  check: (made: T, folder: string, error: Error | undefined, what: string) => unknown,
): Promise<void> {
  let errors = 0
  /** Says how many calls there were. */
  const once = async (nth: number, fault: Fault): Promise<number> => {
    const folder = fs.mkdtempSync(path.join(root, 'sweep-'))
    const made = prepare(folder)
    const failing = failNth(nth, fault)
    let error: Error | undefined
    let calls: number
    try {
      await work(made, folder)
    } catch (caught) {
      error = caught as Error
      errors++
    } finally {
      calls = failing.end()
    }
    await check(made, folder, error, `${fault} at call ${nth}: ${error?.message}`)
    fs.rmSync(folder, { recursive: true })
    return calls
  }
  const all = await once(Infinity, 'EIO')
  // The first and the last calls differ most.
  const isChosen = (nth: number) => nth < 6 || nth > all - 9 || nth % STRIDE === 0
  for (const fault of FAULTS) for (let nth = 1; nth <= all; nth++) if (isChosen(nth)) await once(nth, fault)
  assert.ok(errors >= FAULTS.length, 'the faults were met')
}

/** Everything that was there before is there, as it was. */
async function assertWhole(folder: string, what: string): Promise<void> {
  const archive = openSqliteArchive(folder)
  try {
    assert.deepEqual(await archive.check(), [], what)
    const parts = await partsOf(archive, CHATS)
    for (const [name, part] of expected)
      if (name.startsWith('chat')) assert.deepEqual(parts.get(name), part, what)
  } finally {
    await archive.close()
  }
}

const copied = (folder: string) =>
  fs.copyFileSync(path.join(whole, 'archive.db'), path.join(folder, 'archive.db'))

test('a backup is whole or not there, and leaves nothing behind', async () => {
  await sweep(
    copied,
    async (_, folder) => await makeBackup(folder),
    (_, folder, error, what) => {
      const backups = path.join(folder, 'backups')
      const names = fs.existsSync(backups) ? fs.readdirSync(backups) : []
      assert.deepEqual(
        names.filter((name) => name.includes('.part')),
        [],
        what,
      )
      if (error) {
        assert.equal(
          names.some((name) => name.endsWith('.pages')),
          names.some((name) => name.endsWith('.backup')),
          what,
        )
        return
      }
      const [made] = backupsIn(backups)
      restore(path.join(folder, 'restored'), made!)
      assert.ok(fs.statSync(path.join(folder, 'restored', 'archive.db')).size > 0, what)
    },
  )
})

test('a restore brings the backup, or leaves what was there', async () => {
  const source = path.join(root, 'backed-up')
  fs.mkdirSync(source)
  copied(source)
  await makeBackup(source)
  const [backup] = backupsIn(path.join(source, 'backups'))
  await sweep(
    copied,
    (_, folder) => restore(folder, backup!),
    async (_, folder, _error, what) => {
      await assertWhole(folder, what)
      const left = fs.readdirSync(folder).filter((name) => name.includes('restoring'))
      assert.deepEqual(left, [], what)
    },
  )
})

test('an older archive is brought up to this version or stays as it is, and no half copy of it stays', async () => {
  const older = (folder: string) => {
    const db = new DatabaseSync(path.join(folder, 'archive.db'))
    createTables(db, 0, 2)
    db.exec(`INSERT INTO chat (source, id, title, messages) VALUES ('codex', 'old', 'An old chat', 1);
      INSERT INTO message (chat, id, generation, rank, hash, position, place, role, kind, text)
      VALUES (1, 'm', 1, 0, 5, 0, 0, 'user', 'request', 'what was said long ago')`)
    db.close()
  }
  await sweep(
    older,
    (_, folder) => connect(folder).close(),
    async (_, folder, _error, what) => {
      assert.deepEqual(
        fs.readdirSync(folder).filter((name) => name.includes('.part')),
        [],
        what,
      )
      const archive = openSqliteArchive(folder)
      const [message] = await archive.messages(await archive.resolveChat('codex:old'))
      assert.equal(message?.text, 'what was said long ago', what)
      await archive.close()
    },
  )
})

test('an entry is in context.md or not, and nothing else changes', async () => {
  const HEAD = '# Head\n\nSaid before.\n'
  await sweep(
    (workspace) => {
      fs.writeFileSync(path.join(workspace, 'context.md'), HEAD)
      return contextPlace({ workspace, env: {} }, 'WRITE_ERROR')
    },
    async (place) => await appendContext(place, { title: 'An entry', content: 'its text' }),
    (_, workspace, error, what) => {
      const text = fs.readFileSync(path.join(workspace, 'context.md'), 'utf8')
      assert.ok(text.startsWith(HEAD), what)
      if (error) assert.ok(text === HEAD || text.includes('its text'), what)
      else assert.match(text, /its text/, what)
      assert.deepEqual(fs.readdirSync(workspace), ['context.md'], what)
    },
  )
})

test('a run of the agent keeps each event that it took, and no half one', async () => {
  await sweep(
    (): { log?: RunLog; taken: string[] } => ({ taken: [] }),
    (made, folder) => {
      made.log = RunLog.begin(folder, '/work')
      for (const text of ['one', 'two', 'three'])
        try {
          made.log.append({ type: 'request', id: text, text, provider: 'p', model: 'm' })
          made.taken.push(text)
        } catch {
          // The next one is to be whole again.
        }
      made.log.close()
    },
    ({ log, taken }, folder, error, what) => {
      const runs = path.join(folder, 'runs')
      const names = fs.existsSync(runs) ? fs.readdirSync(runs) : []
      if (error || !log) assert.deepEqual(names, [], what)
      else {
        const said = readRun(folder, log.id).flatMap((event) => ('text' in event ? [event.text] : []))
        assert.deepEqual(said, taken, what)
        assert.equal(names.length, 1, what)
      }
    },
  )
})

/** The database may not grow beyond so many pages: the disk is full at each of them in turn. */
async function sweepPages(work: (folder: string, pages: number) => boolean): Promise<void> {
  const pages = Math.ceil(fs.statSync(path.join(whole, 'archive.db')).size / 16_384)
  for (let more = 0, isDone = false; !isDone; more += more < 4 ? 1 : 3) {
    const folder = fs.mkdtempSync(path.join(root, 'pages-'))
    copied(folder)
    isDone = work(folder, pages + more)
    await assertWhole(folder, `${more} pages more`)
    fs.rmSync(folder, { recursive: true })
  }
}

test('a sync that runs out of room writes all of a batch or nothing, and loses nothing', async () => {
  await sweepPages((folder, pages) => {
    const connection = connect(folder)
    try {
      connection.db.exec(`PRAGMA max_page_count = ${pages}`)
      const lease = takeLease(connection, 'test') as Lease
      const readings = Array.from({ length: 4 }, (_, each) => readingOf(CHATS + each, Math.random))
      write(connection, readings, lease)
      return true
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'DISK_FULL')
      assert.equal(listChats(connection, {}, { limit: 100 }).length, CHATS)
      return false
    } finally {
      connection.close()
    }
  })
})

test('a forget that runs out of room forgets all of a chat or nothing', async () => {
  const pages = Math.ceil(fs.statSync(path.join(whole, 'archive.db')).size / 16_384)
  for (let more = -3; more < 6; more++) {
    const folder = fs.mkdtempSync(path.join(root, 'pages-'))
    copied(folder)
    const connection = connect(folder)
    connection.db.exec(`PRAGMA max_page_count = ${pages + more}`)
    const chats = listChats(connection, {}, { limit: 1 })
    let isForgotten = true
    try {
      forget(connection, chats)
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'DISK_FULL')
      isForgotten = false
    }
    connection.close()
    const archive = openSqliteArchive(folder)
    assert.deepEqual(await archive.check({ deep: true }), [])
    assert.equal(await archive.chatCount(), isForgotten ? CHATS - 1 : CHATS)
    assert.equal(await archive.isForgotten('claude-code', chats[0]!.id), isForgotten)
    await archive.close()
    fs.rmSync(folder, { recursive: true })
  }
})

test('a sync whose files may not grow fails in words, and the next one has it all', {
  skip: process.platform === 'win32',
}, async () => {
  const alex = sampleMachine()
  try {
    const limited = (kilobytes: number) =>
      runCommand(
        'bash',
        [
          '-c',
          `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`,
          'bash',
          process.execPath,
          recollect,
          'sync',
        ],
        { HOME: alex.home, USERPROFILE: alex.home, RECOLLECT_HOME: alex.archive },
      )
    let chats = 0
    for (const kilobytes of [60, 400, 1_100]) {
      const { code, err } = await limited(kilobytes)
      if (code !== 0) assert.match(err, /archive|room|space|disk/i)
      if (!fs.existsSync(path.join(alex.archive, 'archive.db'))) continue
      const archive = openSqliteArchive(alex.archive)
      assert.deepEqual(await archive.check({ deep: true }), [], `${kilobytes} kB`)
      const now = await archive.chatCount()
      assert.ok(now >= chats, 'nothing that was there is lost')
      chats = now
      await archive.close()
    }
    assert.equal((await alex.run(['sync'])).code, 0)
    assert.equal((await alex.run(['doctor', '--deep'])).code, 0)
    assert.deepEqual(
      fs.readdirSync(alex.archive).filter((name) => !/^(archive\.db|config)/.test(name)),
      [],
    )
  } finally {
    alex.remove()
  }
})
