import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../../../src/archive/sqlite/index.ts'
import { host } from './fake-vscode.ts'
import { DEADLOCK, openWindow } from './kit.ts'

const mounts = process.getuid?.() === 0 && process.platform === 'linux'

test('an archive that was replaced is noticed, said in the log, and the one that is there is used', {
  skip: process.platform === 'win32',
}, async (t) => {
  await using window = await openWindow()
  const listed = async () => JSON.stringify(await window.call('list_chats', {}))
  assert.match(await listed(), new RegExp(DEADLOCK.slice(0, 8)))
  const empty = path.join(window.folder, 'empty')
  await openSqliteArchive(empty).close()
  fs.renameSync(path.join(empty, 'archive.db'), path.join(window.folder, 'archive', 'archive.db'))
  const began = performance.now()
  while ((await listed()).includes(DEADLOCK.slice(0, 8))) await sleep(20)
  t.diagnostic(`noticed after ${((performance.now() - began) / 1000).toFixed(2)} s`)
  assert.ok(
    host.log.some((line) => /was replaced by another one/.test(line)),
    host.log.join('\n'),
  )
})

test('a read-only archive is searched and read', { skip: !mounts }, async (t) => {
  await using window = await openWindow()
  const folder = path.join(window.folder, 'archive')
  const secretary = await window.api.secretary()
  await secretary.archive.close()
  const mounted = spawnSync('mount', ['--bind', folder, folder])
  if (mounted.status !== 0) return t.skip('nothing can be mounted here')
  t.after(() => spawnSync('umount', [folder]))
  assert.equal(spawnSync('mount', ['-o', 'remount,ro,bind', folder]).status, 0)
  try {
    const found = JSON.stringify(await window.call('search_conversations', { query: 'deadlock checkout' }))
    assert.match(found, /Deadlock between checkout/)
    const { request } = await window.call('get_request', { sessionId: DEADLOCK, index: 1 })
    assert.match(String(request), /deadlock/i)
  } finally {
    await secretary.archive.close()
    spawnSync('umount', [folder])
  }
})
