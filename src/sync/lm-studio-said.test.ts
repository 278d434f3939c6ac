import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { migrations } from '../archive/sqlite/schema.ts'
import { lmStudio } from '../sources/lm-studio/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lm-studio-sync-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

const said = (role: string, text: string) => ({ versions: [{ role, content: [{ type: 'text', text }] }] })
const answer = (text: string, second: number) => ({
  versions: [
    {
      role: 'assistant',
      steps: [
        {
          type: 'contentBlock',
          stepIdentifier: `178000000${second}000-0.1`,
          content: [{ type: 'text', text }],
        },
      ],
    },
  ],
})
const ENTRIES = [
  said('user', 'One?'),
  answer('1', 1),
  said('user', 'Two?'),
  answer('2', 2),
  said('user', 'Three?'),
]
const USER_LAST = 1_780_000_001_500

async function archived(id: string, entries: object[], change?: (db: DatabaseSync) => void) {
  const file = path.join(home, '.lmstudio', 'conversations', `${id}.conversation.json`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ messages: entries, userLastMessagedAt: USER_LAST }))
  if (change) {
    const db = new DatabaseSync(path.join(home, 'archive', 'archive.db'))
    change(db)
    db.close()
  }
  const archive = openSqliteArchive(path.join(home, 'archive'))
  await syncOnce({ archive, sources: [lmStudio], machine: machineAt(home) })
  const messages = await archive.messages(await archive.resolveChat(id))
  await archive.close()
  return messages.map((message) => ({ id: message.id, text: message.text, undone: message.undone ?? false }))
}

test('a message that was deleted in LM Studio is undone; those behind it keep their ids', async () => {
  const before = await archived('1780000000001', ENTRIES)
  const afterwards = await archived('1780000000001', ENTRIES.toSpliced(1, 2))
  assert.deepEqual(
    afterwards,
    before.map((message, index) => ({ ...message, undone: index === 1 || index === 2 })),
  )
})

test('what an older version called by its place is told once, under its new id', async () => {
  const now = await archived('1780000000002', ENTRIES)
  const renamed = await archived('1780000000002', ENTRIES, (db) => {
    const chat = "(SELECT key FROM chat WHERE id = '1780000000002')"
    db.exec(`UPDATE chat_message SET id = place || '.0' WHERE chat = ${chat}`)
    db.exec(migrations.findLast((each) => each.includes('renews = 1'))!)
  })
  assert.deepEqual(renamed, now)
})
