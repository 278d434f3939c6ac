import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import { fixtureHomes } from '../sources/test-homes.ts'
import { machineAt } from '../sources/test-kit.ts'
import { coverage } from '../sync/coverage.ts'
import { syncOnce } from '../sync/once.ts'
import { listChats } from './list.ts'
import { firstRequest, listRequests, oneRequest } from './requests.ts'

/** Whatever assistant it was said to: what the person said is a request, on every way to it. */
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-every-'))
const machine = machineAt(path.join(temp, 'home'))
let archive: Archive
let chats: ArchivedChat[]

before(async () => {
  const laid = new Set<string>()
  for (const { name, put } of fixtureHomes) {
    // Two that would lie in the same place.
    if (laid.has(name.split(' ').slice(0, 2).join(' ')) || name.endsWith('trimmed.md')) continue
    laid.add(name)
    put(machine.home)
  }
  archive = openSqliteArchive(path.join(temp, 'archive'))
  await syncOnce({ archive, sources, machine })
  chats = await archive.listChats({}, { limit: 1000 })
})
after(async () => {
  await archive.close()
  fs.rmSync(temp, { recursive: true, force: true })
})

test('no chat in which something was said has no requests', async () => {
  const silent = chats.filter(({ requestCount }) => requestCount === 0)
  for (const chat of silent) {
    const messages = await archive.messages(chat)
    const said = messages.filter(({ kind, undone }) => kind === 'request' && !undone)
    assert.deepEqual(said, [], `${chat.source} ${chat.id}`)
  }
  // Its one request was taken back.
  assert.deepEqual(
    silent.map(({ title }) => title),
    ['Sort by date'],
  )
})

test('no assistant has more to tell than is archived', async () => {
  const rows = await coverage({ sources, machine, homes: [] }, archive)
  assert.deepEqual(new Set(rows.map(({ source }) => source)), new Set(sources.map(({ id }) => id)))
  for (const { name, version, turns } of rows)
    assert.ok(turns.archived >= turns.counted, `${name} ${version}: ${turns.archived} of ${turns.counted}`)
})

test('every request can be asked for', async () => {
  const listed = await listChats(
    archive,
    { limit: 200 },
    { clean: (value) => value, room: Number.POSITIVE_INFINITY },
  )
  for (const { chatId, requestCount } of listed.chats) {
    if (requestCount === 0) continue
    const asker = { archive, sources, machine, caller: {} }
    const first = await firstRequest(asker, { sessionId: chatId })
    assert.ok(first.success, `${chatId}: ${JSON.stringify(first)}`)
    assert.equal(first.requestsCount, requestCount, chatId)
    const all = await listRequests(asker, { sessionId: chatId, limit: 100 })
    assert.ok(all.success && all.totalRequests === requestCount, chatId)
    const last = await oneRequest(asker, { sessionId: chatId, index: requestCount })
    assert.ok(last.success && last.request.trim() !== '', chatId)
  }
})
