import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { makeArchive } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'

/** Longer than an archive goes without looking at its file. */
const A_LOOK_MS = 520
const ROUNDS = 4

/** Has the archive open as well, looks at it when it is told to, and says what it sees. */
const OTHER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const flag = new Int32Array(workerData.flag)
  import(workerData.code).then(async ({ openSqliteArchive }) => {
    const archive = openSqliteArchive(workerData.folder, { onReplaced() {} })
    await archive.chatCount()
    parentPort.postMessage('open')
    for (let round = 0; ; round++) {
      Atomics.wait(flag, 0, round)
      await archive.chatCount()
      parentPort.postMessage('looked')
      Atomics.wait(flag, 1, round)
      parentPort.postMessage(await archive.leaseHolder())
    }
  })`

test('two who notice at once that an archive was replaced go on with the same one', {
  skip: process.platform === 'win32',
}, async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-at-once-'))
  const folder = path.join(home, 'used')
  await makeArchive(path.join(home, 'new'), 2)
  fs.cpSync(path.join(home, 'new'), folder, { recursive: true })
  const archive = openSqliteArchive(folder, { onReplaced() {} })
  const flag = new Int32Array(new SharedArrayBuffer(8))
  const code = new URL('./index.ts', import.meta.url).href
  const other = new Worker(OTHER, { eval: true, workerData: { flag: flag.buffer, folder, code } })
  const said = () => new Promise<unknown>((resolve) => other.once('message', resolve))
  try {
    await said()
    await archive.takeLease('before')
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(A_LOOK_MS)
      fs.copyFileSync(path.join(home, 'new', 'archive.db'), path.join(folder, 'next.db'))
      fs.renameSync(path.join(folder, 'next.db'), path.join(folder, 'archive.db'))
      const looked = said()
      Atomics.store(flag, 0, round + 1)
      Atomics.notify(flag, 0)
      await archive.chatCount()
      await looked
      await archive.takeLease(`round ${round}`)
      const seen = said()
      Atomics.store(flag, 1, round + 1)
      Atomics.notify(flag, 1)
      assert.equal(((await seen) as { purpose: string }).purpose, `round ${round}`)
    }
  } finally {
    await other.terminate()
    await archive.close()
    fs.rmSync(home, { recursive: true, force: true })
  }
})
