import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupFiles, backupsIn } from '../src/archive/backups.ts'
import { unpackBackup } from '../src/archive/sqlite/backup.ts'
import { bareEnvironment, machine, recollect } from './run-cli.ts'

/** Processes that make, prune and rewrite backups at the same moment. */

/** So long another process is given to end, or to begin to wait. */
const A_WHILE_MS = 5_000

async function synced(t: TestContext) {
  const me = machine()
  t.after(() => me.remove())
  const folder = path.join(me.home, '.claude/projects/shop')
  fs.mkdirSync(folder, { recursive: true })
  const write = (word: string) => {
    const id = randomUUID()
    const lines = Array.from({ length: 40 }, (_, n) => {
      const about = { uuid: randomUUID(), sessionId: id, cwd: '/work/shop' }
      const timestamp = new Date(Date.UTC(2026, 4, 1, 10, n)).toISOString()
      const message = { role: 'user', content: `${word} of round ${n} ${randomUUID()}` }
      return `${JSON.stringify({ type: 'user', ...about, timestamp, message })}\n`
    })
    fs.writeFileSync(path.join(folder, `${id}.jsonl`), lines.join(''))
    return id
  }
  const unwanted = write('kingfisher')
  write('heliotrope')
  await me.run(['sync'])

  /** `recollect …`, held before it gives a file a name that ends so. */
  const held = async (args: string[], end: string) => {
    const [here, go] = [path.join(me.home, 'here'), path.join(me.home, 'go')]
    for (const each of [here, go]) fs.rmSync(each, { force: true })
    const code = `import fs from 'node:fs'
      const rename = fs.renameSync
      fs.renameSync = (from, to) => {
        if (String(to).endsWith(${JSON.stringify(end)})) {
          fs.writeFileSync(${JSON.stringify(here)}, '')
          while (!fs.existsSync(${JSON.stringify(go)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
        }
        return rename(from, to)
      }`
    const child = spawn(process.execPath, [recollect, ...args], {
      env: {
        ...bareEnvironment(),
        ...{ HOME: me.home, USERPROFILE: me.home, RECOLLECT_HOME: me.archive },
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      },
      stdio: 'ignore',
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'close')
    while (!fs.existsSync(here)) {
      assert.equal(child.exitCode, null)
      await sleep(20)
    }
    return { child: child as ChildProcess, ended, goOn: () => fs.writeFileSync(go, '') }
  }
  return { ...me, unwanted, write, held }
}

/** The chats of each backup, all of which must be readable. */
function chatsIn(folder: string): string[][] {
  return backupsIn(folder).map(({ file }) => {
    const into = `${file}.unpacked`
    unpackBackup(file, into)
    const db = new DatabaseSync(into)
    try {
      return db
        .prepare('SELECT id FROM chat')
        .all()
        .map(({ id }) => String(id))
    } finally {
      db.close()
      fs.rmSync(into)
    }
  })
}

test('a backup whose pages lie there before its list keeps them while another one is made', async (t) => {
  const me = await synced(t)
  const first = await me.held(['backup'], '.backup')
  me.write('saxifrage')
  await me.run(['sync'])
  const second = me.run(['backup'])
  await Promise.race([second, sleep(A_WHILE_MS)])
  first.goOn()
  assert.deepEqual(await first.ended, [0, null])
  assert.equal((await second).code, 0)
  assert.equal(chatsIn(path.join(me.archive, 'backups')).length, 2)
})

test('a backup that is being made keeps its pages while others are rewritten, and nothing of what was forgotten', async (t) => {
  const me = await synced(t)
  assert.equal((await me.run(['backup'])).code, 0)
  me.write('saxifrage')
  await me.run(['sync'])
  const backup = await me.held(['backup'], '.backup')
  const forgetting = me.run(['forget', me.unwanted, '--copies', 'rewrite', '--yes', '--json'])
  await Promise.race([forgetting, sleep(A_WHILE_MS)])
  backup.goOn()
  assert.deepEqual(await backup.ended, [0, null])
  const { code, out, err } = await forgetting
  assert.equal(code, 0, err)
  assert.deepEqual(JSON.parse(out).copies.left, [])
  assert.match(err, /are being made or rewritten: waiting/)
  const chats = chatsIn(path.join(me.archive, 'backups'))
  assert.deepEqual(
    chats.map((each) => each.length),
    [2, 1],
  )
  assert.ok(!chats.flat().includes(me.unwanted))
})

test('forget says that a backup is being made, and one that was killed keeps nobody waiting and leaves nothing', async (t) => {
  const me = await synced(t)
  const folder = path.join(me.home, 'disk')
  const backup = await me.held(['backup', folder], '.backup')
  const plain = await me.run(['forget', me.unwanted, '--yes'])
  assert.equal(plain.code, 0, plain.err)
  assert.match(plain.out, /copies of the archive \(one is being made; `recollect forget --copies rewrite`/)
  assert.ok(plain.out.includes(folder), plain.out)

  backup.child.kill('SIGKILL')
  await backup.ended
  assert.notDeepEqual(backupFiles(me.archive), [])
  const since = performance.now()
  const rewritten = await me.run(['forget', '--copies', 'rewrite', '--yes'])
  assert.deepEqual([rewritten.code, rewritten.err], [0, ''])
  assert.ok(performance.now() - since < A_WHILE_MS * 2)
  assert.deepEqual(fs.readdirSync(folder), [])
})
