import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { SearchInput } from './input.ts'
import { searchConversations } from './search.ts'
import { type MadeChat, tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-phrase-'))
const MESSAGES = 1_000
let archive: Archive

/** The words of the phrase, never one after the other. */
function apart(id: string): MadeChat {
  const messages = Array.from({ length: MESSAGES }, (_, n) => ({ text: `pool ${n} of a connection` }))
  return { id, workspace: '/home/me/shop', messages }
}

before(async () => {
  archive = openSqliteArchive(folder)
  const said = [{ text: 'Something else first' }, { text: 'Then use a connection pool' }]
  await tell(archive, [
    { id: 'old', source: 'codex', workspace: '/home/me/old', daysAgo: 400, messages: said },
  ])
  await tell(archive, [apart('first'), apart('second')])
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const search = (more: Partial<SearchInput> = {}) =>
  searchConversations(archive, { query: '"connection pool"', ...more })

test('a phrase of common words is found behind many newer messages that have its words', async () => {
  const { topChatIds, notes } = await search()
  assert.deepEqual([topChatIds, notes], [['old'], undefined])
})

test('where not all messages with its words were looked through for a phrase, the answer says so', async () => {
  await tell(archive, [apart('third'), apart('fourth'), apart('fifth')])
  const { totalFound, notes } = await search()
  assert.equal(totalFound, 0)
  assert.match(notes?.[0] ?? '', /only the newest were looked through/)
})

test('filters choose which messages are looked through for a phrase', async () => {
  const day = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)
  for (const narrowed of [{ source: 'codex' }, { workspace: '/home/me/old' }, { dateTo: day }])
    assert.deepEqual((await search(narrowed)).topChatIds, ['old'], JSON.stringify(narrowed))
})
