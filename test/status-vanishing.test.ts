import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { machine } from './run-cli.ts'

const DAY_MS = 86_400_000
const { home, run, remove } = machine()
after(remove)

function session(id: string, daysAgo: number): void {
  const file = path.join(home, '.claude', 'projects', '-home-me-shop', `${id}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const message = { role: 'user', content: `about ${id}` }
  fs.writeFileSync(
    file,
    `${JSON.stringify({ type: 'user', uuid: id, sessionId: id, timestamp: '2026-05-01T10:00:00Z', message })}\n`,
  )
  const written = new Date(Date.now() - daysAgo * DAY_MS)
  fs.utimesSync(file, written, written)
}

test('status says which chats will vanish that are not archived yet, and no longer when they are', async () => {
  session('archived', 28)
  assert.equal((await run(['sync'])).code, 0)
  session('new', 27)
  const before = await run(['status'])
  assert.match(
    before.out,
    /Claude Code deletes chats after 30 days \(by default\): 2 files may go within a week, the first on \d{4}-\d\d-\d\d\. 1 of them is not archived yet: recollect sync\./,
  )
  const json = JSON.parse((await run(['status', '--json'])).out)
  const told = json.vanishing.find(({ source }: { source: string }) => source === 'claude-code')
  assert.deepEqual([told.soon, told.soonUnarchived], [2, 1])
  assert.equal((await run(['sync'])).code, 0)
  const { out } = await run(['status'])
  assert.match(out, /2 files may go within a week, the first on \S+ The chats stay here\./)
})
