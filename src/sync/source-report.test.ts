import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import { sourceReports } from './source-report.ts'

test('what could not be read names its file, the reason and what to do', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-report-'))
  const archive = openSqliteArchive(folder)
  t.after(async () => {
    await archive.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const lease = (await archive.takeLease('test')) as Lease
  const file = '/home/me/.claude/projects/a/one.jsonl'
  await archive.write(
    [
      {
        source: 'claude-code',
        path: file,
        rank: 0,
        fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
        generation: 1,
        chats: [],
        messages: [],
        problems: [
          { offset: 10, reason: 'not valid JSON' },
          { offset: 90, reason: 'not valid JSON' },
        ],
        begins: true,
        completes: true,
      },
    ],
    lease,
  )
  const machine = { platform: 'linux' as const, home: path.join(folder, 'home'), env: {} }
  const reports = await sourceReports({ sources, machine, homes: [] }, archive)
  const { problems } = reports.find(({ source }) => source === 'claude-code')!
  assert.equal(problems.length, 1)
  assert.equal(problems[0]!.file, file)
  assert.match(problems[0]!.problem, /^2 records could not be read: not valid JSON/)
  assert.match(problems[0]!.hint, /recollect doctor/)
})
