import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { searchConversations } from './search.ts'
import { tell } from './test-kit.ts'

/** What developers paste, and its pieces, which newer chats hold more often. */
const NAMES: [name: string, pieces: string][] = [
  ['E_WOMBAT_4471', 'wombat 4471'],
  ['worker-500', 'worker 500'],
  ['operations.rs:990', 'operations rs 990'],
  ['GHSA-fwjx-7q2m-9c3v', 'ghsa fwjx 7q2m 9c3v'],
  ['--test-name-pattern', 'test name pattern'],
  ['utf8mb4', 'utf 8 mb 4'],
  ['9f3c2e7ab41d', '9f3c 2e7a b41d'],
  ['v24.11.3', '24 11 3'],
  ['at Object.<anonymous> (/app/src/server.js:42:17)', 'object anonymous app src server js 42 17'],
  ['src/billing/invoice_total.py', 'src billing invoice total py'],
  ['parseRetryHeader', 'parse retry header'],
  ['@acme/log-sink', 'acme log sink'],
]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-names-'))
let archive: Archive

before(async () => {
  archive = openSqliteArchive(folder)
  await tell(
    archive,
    NAMES.flatMap(([name, pieces], i) => [
      {
        id: `pieces-${i}`,
        messages: [{ text: `${pieces}, ${pieces} and ${pieces} again` }, { text: pieces }],
      },
      {
        id: `said-${i}`,
        daysAgo: 700,
        messages: [{ text: `It was about ${name}, long ago, among other things` }],
      },
      {
        id: `tool-${i}`,
        daysAgo: 900,
        messages: [
          { text: 'look at it' },
          { text: `line of output: ${name}`, role: 'tool' as const, kind: 'tool' as const },
        ],
      },
    ]),
  )
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

for (const [i, [name]] of NAMES.entries())
  test(`whole before pieces, in what was said and in tool text: ${name}`, async () => {
    const { topChatIds, results } = await searchConversations(archive, { query: name })
    assert.deepEqual(topChatIds.slice(0, 2).toSorted(), [`said-${i}`, `tool-${i}`])
    const shown = results[topChatIds.indexOf(`said-${i}`)]!.snippets[0]!.text
    assert.ok(shown.includes(name), shown)
  })
