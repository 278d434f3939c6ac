import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { kiro } from '../sources/kiro/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'

const ID = '9d000000-0000-4000-8000-000000000009'
const FIXTURES = path.join(import.meta.dirname, '../sources/kiro/fixtures')

/** The conversation as a database has it, and as a session's own file does. */
const KEPT = {
  database(home: string) {
    const folder = path.join(home, '.local/share/kiro-cli')
    fs.mkdirSync(folder, { recursive: true })
    const db = new DatabaseSync(path.join(folder, 'data.sqlite3'))
    db.exec(fs.readFileSync(path.join(FIXTURES, 'conversations.sql'), 'utf8'))
    db.close()
  },
  file(home: string) {
    const folder = path.join(home, '.kiro/sessions/cli')
    fs.mkdirSync(folder, { recursive: true })
    const said = (kind: string, id: string, text: string) =>
      `${JSON.stringify({ version: 'v1', kind, data: { message_id: id, content: [{ kind: 'text', data: text }] } })}\n`
    fs.writeFileSync(
      path.join(folder, `${ID}.jsonl`),
      said('Prompt', 'p1', 'Where is the price?') + said('AssistantMessage', 'a1', 'In price.ts.'),
    )
  },
}

for (const order of [
  ['database', 'file'],
  ['file', 'database'],
] as const) {
  test(`Kiro: what is in a ${order[0]} and then in a ${order[1]} too is told once`, async (t) => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kiro-'))
    const archive = openSqliteArchive(path.join(home, 'archive'))
    t.after(async () => {
      await archive.close()
      fs.rmSync(home, { recursive: true, force: true })
    })
    for (const kept of order) {
      KEPT[kept](home)
      await syncOnce({ archive, sources: [kiro], machine: machineAt(home) })
    }
    const messages = await archive.messages(await archive.resolveChat(ID))
    const shown = messages.filter(({ undone }) => !undone)
    assert.deepEqual(
      shown.filter(({ kind }) => kind === 'request').map(({ text }) => text),
      ['Where is the price?'],
    )
    assert.deepEqual(
      shown.filter(({ kind }) => kind === 'answer').map(({ text }) => text),
      ['In price.ts.'],
    )
  })
}

test('Kiro: what is written of a session after its messages is told of it', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kiro-'))
  const archive = openSqliteArchive(path.join(home, 'archive'))
  t.after(async () => {
    await archive.close()
    fs.rmSync(home, { recursive: true, force: true })
  })
  const folder = path.join(home, '.kiro/sessions/a1b2/sess_1')
  fs.mkdirSync(folder, { recursive: true })
  const said = (id: string, type: string, content: string) =>
    `${JSON.stringify({ id, timestamp: '2026-09-02T08:00:00Z', payload: { type, content } })}\n`
  fs.writeFileSync(
    path.join(folder, 'messages.jsonl'),
    said('u1', 'user', 'Rename it') + said('a1', 'assistant', 'Done.'),
  )
  await syncOnce({ archive, sources: [kiro], machine: machineAt(home) })
  const about = { title: 'The name', workspacePaths: ['/home/me/shop'], modelId: 'claude-sonnet-4.5' }
  fs.writeFileSync(path.join(folder, 'session.json'), JSON.stringify(about))
  await syncOnce({ archive, sources: [kiro], machine: machineAt(home) })
  const chat = await archive.resolveChat('sess_1')
  const messages = await archive.messages(chat)
  assert.deepEqual([chat.title, chat.workspace], ['The name', '/home/me/shop'])
  assert.deepEqual(
    messages.map(({ text, model, undone }) => [text, model, undone]),
    [
      ['Rename it', undefined, undefined],
      ['Done.', 'claude-sonnet-4.5', undefined],
    ],
  )
})
