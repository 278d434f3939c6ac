import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { claudeCode } from '../sources/claude-code/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from '../sync/once.ts'
import { searchConversations } from './search.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-injected-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

const CHAT = '0b1f6c1e-0000-4000-8000-00000000abcd'
const file = path.join(home, '.claude', 'projects', '-home-me-proj', `${CHAT}.jsonl`)
let seconds = 0

function record(role: 'user' | 'assistant', content: unknown): string {
  const timestamp = new Date(1_780_000_000_000 + ++seconds * 1000).toISOString()
  const message = { role, content, ...(role === 'assistant' && { id: `msg_${seconds}`, model: 'm' }) }
  const about = { uuid: `u${seconds}`, sessionId: CHAT, timestamp, cwd: '/home/me/proj', version: '2.1.325' }
  return `${JSON.stringify({ type: role, ...about, message })}\n`
}

const call = (id: string, name: string) => record('assistant', [{ type: 'tool_use', id, name, input: {} }])
const result = (id: string, text: string) =>
  record('user', [{ type: 'tool_result', tool_use_id: id, content: text }])

async function isFound(archive: Archive, word: string): Promise<boolean> {
  return (await searchConversations(archive, { query: word })).totalFound > 0
}

test('what was recalled is shown and not found again', async () => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const archive = openSqliteArchive(path.join(home, 'archive'))
  const sync = () => syncOnce({ archive, sources: [claudeCode], machine: machineAt(home) })
  fs.writeFileSync(
    file,
    record('user', '<supermemory-context>\nlikes marzipan\n</supermemory-context>\nBuy nougat') +
      call('c1', 'mcp__recollect__read_context') +
      result('c1', 'Earlier: praline') +
      call('c2', 'Bash') +
      result('c2', 'caramel is sold out\n<system-reminder>fudge</system-reminder>') +
      call('c3', 'mcp__recollect__get_first_request'),
  )
  await sync()
  const answer = { success: true, sessionId: 'a', firstRequest: 'Where is toffee?', requestsCount: 1 }
  fs.appendFileSync(file, result('c3', JSON.stringify(answer)) + record('assistant', 'No brittle left.'))
  await sync()

  const chat = await archive.resolveChat(CHAT)
  const messages = await archive.messages(chat)
  assert.equal(chat.title, 'Buy nougat')
  assert.equal(messages[0]!.text, 'Buy nougat')
  const words = { nougat: true, caramel: true, brittle: true, marzipan: false, praline: false, fudge: false }
  for (const [word, expected] of Object.entries({ ...words, toffee: false })) {
    assert.equal(await isFound(archive, word), expected, word)
    assert.ok(JSON.stringify(messages).includes(word), `${word} is shown`)
  }
  assert.deepEqual(
    messages.flatMap(({ toolResults }) => toolResults ?? []).map(({ own }) => own ?? false),
    [true, false, true],
  )
  await archive.close()
})
