import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coverageLine } from './coverage.ts'

const source = { source: 'codex', chats: 3, messages: 9, requests: 3, files: 3, problems: 0 }
const now = 1_000_000_000

const cases: [
  overview: Parameters<typeof coverageLine>[0],
  state: Parameters<typeof coverageLine>[1],
  line: string,
][] = [
  [{ sources: [source], chats: 3 }, { state: 'in step' }, '3 chats of codex; up to date with the disk.'],
  [
    { sources: [{ ...source, problems: 2 }], chats: 3, lastSyncAt: now - 7_200_000 },
    undefined,
    '3 chats of codex; synced 2 hours ago; 2 records could not be read.',
  ],
  [
    { sources: [], chats: 0 },
    { state: 'reading', done: 34, total: 100 },
    'No chats archived yet; sync is running (34 %), many may be missing.',
  ],
  [
    { sources: [source], chats: 3, lastSyncAt: now },
    { state: 'reading', done: 0, total: 0 },
    '3 chats of codex; sync is running, the newest may be missing.',
  ],
  [
    { sources: [source], chats: 3, lastSyncAt: now },
    { state: 'failed', reason: 'disk full' },
    '3 chats of codex; sync failed: disk full.',
  ],
  [
    { sources: [source], chats: 3 },
    { state: 'in step', by: 77 },
    '3 chats of codex; the first sync is running in another process, many may be missing.',
  ],
  [{ sources: [], chats: 0 }, undefined, 'No chats archived yet; never synced.'],
]
for (const [overview, state, line] of cases) {
  test(line, () => assert.equal(coverageLine(overview, state, now), line))
}
