import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { cline } from '../sources/cline/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'cline-sync-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

test('what was seen takes the place of the transcript of the model, whichever is there first', async () => {
  const id = '1780000000000'
  const folder = path.join(home, '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks', id)
  fs.mkdirSync(folder, { recursive: true })
  const archive = openSqliteArchive(path.join(home, 'archive'))
  const told = async () => {
    await syncOnce({ archive, sources: [cline], machine: machineAt(home) })
    return (await archive.messages(await archive.resolveChat(id))).map(
      ({ id: name, text, undone }) => `${name} ${text}${undone ? ' undone' : ''}`,
    )
  }
  const model = [{ role: 'user', content: [{ type: 'text', text: '<task>\nFix it\n</task>' }] }]
  fs.writeFileSync(path.join(folder, 'api_conversation_history.json'), JSON.stringify(model))
  assert.deepEqual(await told(), ['m0 Fix it'])
  fs.writeFileSync(
    path.join(folder, 'ui_messages.json'),
    JSON.stringify([{ ts: 1_780_000_000_000, type: 'say', say: 'text', text: 'Fix it' }]),
  )
  assert.deepEqual(await told(), ['1780000000000 Fix it'])
  const more = [...model, { role: 'assistant', content: 'Fixed.' }]
  fs.writeFileSync(path.join(folder, 'api_conversation_history.json'), JSON.stringify(more))
  assert.deepEqual(await told(), ['1780000000000 Fix it'])
  assert.deepEqual(await archive.problems(), [])
  await archive.close()
})
