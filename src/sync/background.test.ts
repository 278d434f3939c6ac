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
import { machineAt } from '../sources/test-kit.ts'
import { type BackgroundState, syncInBackground } from './background.ts'
import { WATCHING } from './once.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-background-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

/** A thread that notes that it was started and says what it is told to say. */
function threadSaying(name: string, said: BackgroundState): { code: URL; starts(): number } {
  const [code, starts] = [path.join(temp, `${name}.mjs`), path.join(temp, `${name}-starts`)]
  fs.writeFileSync(starts, '')
  fs.writeFileSync(
    code,
    `import fs from 'node:fs'
     import { parentPort } from 'node:worker_threads'
     fs.appendFileSync(${JSON.stringify(starts)}, 'x')
     parentPort.once('message', () => process.exit())
     parentPort.postMessage(${JSON.stringify(said)})`,
  )
  return { code: pathToFileURL(code), starts: () => fs.readFileSync(starts, 'utf8').length }
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
  const { code, starts } = threadSaying('held', { state: 'in step' })
  const behind = syncInBackground({ folder, sources: [], machine: machineAt(temp) }, assert.fail, { code })
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
  const { code, starts } = threadSaying('later', { state: 'in step', by: process.pid })
  openSqliteArchive(folder).close()
  // Nobody has it yet: the thread starts, and somebody takes it meanwhile.
  const behind = syncInBackground({ folder, sources: [], machine: machineAt(temp) }, assert.fail, { code })
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
