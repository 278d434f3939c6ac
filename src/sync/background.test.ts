import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { syncedBy } from '../archive/sqlite/lease-sign.ts'
import { claudeCode } from '../sources/claude-code/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { type BackgroundState, syncInBackground } from './background.ts'
import { syncOnce, WATCHING } from './once.ts'
import { watch } from './watch.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-background-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const line = pathToFileURL(path.join(import.meta.dirname, '../platform/beside-line.ts'))

interface Saying {
  tuning: { code: URL; processCode: URL; firstMs: number }
  starts(): number
}

/** A thread, or process, that notes that it was started and says what it is told to say. */
function oneSaying(name: string, said: BackgroundState): Saying {
  const [code, starts] = [path.join(temp, `${name}.mjs`), path.join(temp, `${name}-starts`)]
  fs.writeFileSync(starts, '')
  fs.writeFileSync(
    code,
    `import fs from 'node:fs'
     import { onTold, tell } from '${line}'
     fs.appendFileSync(${JSON.stringify(starts)}, 'x')
     onTold((told) => told === 'stop' && process.exit())
     tell(${JSON.stringify(said)})`,
  )
  const url = pathToFileURL(code)
  return {
    tuning: { code: url, processCode: url, firstMs: 1_000 },
    starts: () => fs.readFileSync(starts, 'utf8').length,
  }
}

/** Holds the lease as whoever watches does, however long it takes. */
async function held(folder: string): Promise<{ archive: Archive; release(): Promise<void> }> {
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease(WATCHING)) as Lease
  await archive.renewLease(lease)
  const renewing = setInterval(() => archive.renewLease(lease), 500)
  return {
    archive,
    release() {
      clearInterval(renewing)
      return archive.releaseLease(lease)
    },
  }
}

test('as long as another keeps the archive up to date there is no thread, and one as soon as it ends', async () => {
  const folder = path.join(temp, 'held')
  const { archive, release } = await held(folder)
  const { tuning, starts } = oneSaying('held', { state: 'in step' })
  const behind = syncInBackground({ folder, sources: [], machine: machineAt(temp) }, assert.fail, tuning)
  try {
    assert.deepEqual(behind.state, { state: 'in step', by: process.pid })
    assert.equal(starts(), 0)
    await release()
    while (starts() === 0 || 'by' in behind.state) await sleep(20)
    assert.equal(starts(), 1)
  } finally {
    await behind.stop()
    await archive.close()
  }
})

test('a thread that finds another at work ends, and is started again when that one ends', async () => {
  const folder = path.join(temp, 'later')
  const { tuning, starts } = oneSaying('later', { state: 'in step', by: process.pid })
  openSqliteArchive(folder).close()
  // Nobody has it yet: the thread starts, and somebody takes it meanwhile.
  const behind = syncInBackground({ folder, sources: [], machine: machineAt(temp) }, assert.fail, tuning)
  const { archive, release } = await held(folder)
  try {
    while (starts() === 0 || !('by' in behind.state)) await sleep(20)
    assert.ok(syncedBy(folder))
    await release()
    assert.equal(syncedBy(folder), undefined)
    while (starts() < 2) await sleep(20)
  } finally {
    await behind.stop()
    await archive.close()
  }
})

test('who keeps it up to date cannot be told of what is no archive', () => {
  const folder = path.join(temp, 'none')
  assert.equal(syncedBy(folder), undefined)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'archive.db'), 'no database at all')
  assert.equal(syncedBy(folder), undefined)
  assert.deepEqual(fs.readdirSync(folder), ['archive.db'])
})

/** A home with a transcript of Claude Code, and how to add one of as many megabytes. */
function homeWithChats(name: string): { home: string; add(id: string, megabytes: number): void } {
  const home = path.join(temp, name)
  const project = path.join(home, '.claude', 'projects', '-home-me-proj')
  fs.mkdirSync(project, { recursive: true })
  const add = (id: string, megabytes: number) => {
    const lines = Array.from({ length: Math.round(megabytes * 10) }, (_, i) =>
      JSON.stringify({
        type: 'user',
        uuid: `${id}-${i}`,
        parentUuid: i > 0 ? `${id}-${i - 1}` : null,
        sessionId: id,
        timestamp: '2026-05-04T09:00:00.000Z',
        message: { role: 'user', content: `request ${i} of ${id} ${'parser '.repeat(14_300)}` },
      }),
    )
    fs.writeFileSync(path.join(project, `${id}.jsonl`), `${lines.join('\n')}\n`)
  }
  return { home, add }
}

const SMALL = '11111111-1111-4111-8111-111111111111'
const LARGE = '22222222-2222-4222-8222-222222222222'

/** An archive with a chat, and a home with one more that is much to read. */
async function muchToRead(name: string) {
  const { home, add } = homeWithChats(name)
  const machine = machineAt(home)
  const plan = { folder: path.join(temp, `${name}-archive`), sources: ['claude-code'], machine }
  add(SMALL, 0.1)
  const archive = openSqliteArchive(plan.folder)
  await syncOnce({ archive, sources: [claudeCode], machine })
  add(LARGE, 13)
  return { archive, plan, add }
}

test('much to read is left to a process, after which a thread goes on', async () => {
  const { archive, plan, add } = await muchToRead('much')
  const { folder } = plan
  const behind = syncInBackground(plan, assert.fail)
  const alive = setInterval(() => {}, 1_000)
  try {
    const chats = async () => (await archive.overview()).chats
    const pids = new Set<number>()
    while ((await chats()) < 2 || behind.state.state !== 'in step') {
      pids.add(syncedBy(folder)?.pid ?? process.pid)
      await sleep(5)
    }
    assert.ok(
      [...pids].some((pid) => pid !== process.pid),
      'another process had the lease',
    )
    while (syncedBy(folder)?.pid !== process.pid) await sleep(20)
    add('33333333-3333-4333-8333-333333333333', 0.1)
    while ((await chats()) < 3) await sleep(20)
  } finally {
    clearInterval(alive)
    await behind.stop()
    await archive.close()
  }
})

test('what a process leaves undone is not left to another one', async () => {
  const { archive, plan } = await muchToRead('undone')
  const starts = path.join(temp, 'undone-starts')
  const processCode = path.join(temp, 'undone.mjs')
  fs.writeFileSync(
    processCode,
    `import fs from 'node:fs'
     import { hangUp, onTold, tell } from '${line}'
     fs.appendFileSync(${JSON.stringify(starts)}, 'x')
     onTold(() => { tell({ left: 'nothing' }); hangUp() })`,
  )
  const behind = syncInBackground(plan, assert.fail, { processCode: pathToFileURL(processCode) })
  const alive = setInterval(() => {}, 1_000)
  try {
    while ((await archive.overview()).chats < 2) await sleep(20)
    assert.equal(fs.readFileSync(starts, 'utf8'), 'x')
  } finally {
    clearInterval(alive)
    await behind.stop()
    await archive.close()
  }
})

test('who leaves much ends before it has read any of it, and who does it ends when nothing is left', async () => {
  const { home, add } = homeWithChats('parts')
  add(LARGE, 13)
  const archive = openSqliteArchive(path.join(temp, 'parts-archive'))
  const plan = {
    archive,
    sources: [claudeCode],
    machine: machineAt(home),
    signal: new AbortController().signal,
  }
  assert.equal(await watch({ ...plan, leavesMuch: true }), 'much')
  assert.equal((await archive.overview()).messages, 0)
  assert.equal(await watch({ ...plan, endsWhenCalm: true }), 'nothing')
  assert.equal((await archive.overview()).messages, 130)
  assert.equal(await archive.leaseHolder(), undefined)
  // Many chats that were never looked through for secrets are much, too.
  archive.lookForSecrets = async () => true
  assert.equal(await watch({ ...plan, leavesMuch: true }), 'much')
  await archive.close()
})
