import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { codex } from '../sources/codex/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { Syncer } from './sync.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-shortened-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const ID = '019a4a10-0000-7000-8000-0000000000b7'
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })}\n`
const prompt = (text: string) =>
  line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

test('what was read behind the checkpoint is undone when the file is cut before it', async () => {
  const folder = path.join(temp, '.codex', 'sessions', '2026', '03', '01')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `rollout-2026-03-01T10-00-00-${ID}.jsonl`)
  const kept = line('session_meta', { id: ID, cwd: '/home/me/proj' }) + prompt('Name the colours')
  fs.writeFileSync(file, kept + prompt('Only the warm ones'))
  const archive = openSqliteArchive(path.join(temp, 'archive'))
  try {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    const syncer = new Syncer({ archive, sources: [codex], machine: machineAt(temp) }, lease)
    await syncer.syncAll()
    fs.writeFileSync(file, kept)
    await syncer.syncAll()
    const [chat] = await archive.listChats({}, { limit: 1 })
    assert.deepEqual(
      (await archive.messages(chat!)).map(({ text, undone }) => [text, undone]),
      [
        ['Name the colours', undefined],
        ['Only the warm ones', true],
      ],
    )
  } finally {
    await archive.close()
  }
})
