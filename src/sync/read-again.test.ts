import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { migrations } from '../archive/sqlite/schema.ts'
import { claudeCode } from '../sources/claude-code/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-read-again-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

const CHAT = '0b1f6c1e-0000-4000-8000-00000000abcd'
const PASTED = '  <Reference>\n  <Private>False</Private>\n</Reference>\n\n\n\n<private>x</private>Why?'

test('requests that an older version did not tell as they were typed are read again from unchanged files', async () => {
  const file = path.join(home, '.claude', 'projects', '-home-me-proj', `${CHAT}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const about = { uuid: 'u1', sessionId: CHAT, timestamp: '2026-05-28T20:26:41.000Z', cwd: '/home/me/proj' }
  const line = `${JSON.stringify({ type: 'user', ...about, message: { role: 'user', content: PASTED } })}\n`
  const at = new Date('2026-05-28T20:26:41.000Z')
  const requests = async (words: string) => {
    fs.writeFileSync(file, words)
    fs.utimesSync(file, at, at)
    const archive = openSqliteArchive(path.join(home, 'archive'))
    await syncOnce({ archive, sources: [claudeCode], machine: machineAt(home) })
    const messages = await archive.messages(await archive.resolveChat(CHAT))
    await archive.close()
    return messages.map(({ text }) => text)
  }
  const typed = PASTED.replace('<private>x</private>', '')
  const older = line.replace('<Private>False</Private>', ' '.repeat('<Private>False</Private>'.length))
  assert.notDeepEqual(await requests(older), [typed])
  assert.notDeepEqual(await requests(line), [typed], 'it looks unchanged')
  const db = new DatabaseSync(path.join(home, 'archive', 'archive.db'))
  db.exec(migrations.findLast((each) => each.includes('Requests'))!)
  db.close()
  assert.deepEqual(await requests(line), [typed])
})
