import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { vanishing } from '../sync/vanishing.ts'
import { type Bench, bench } from './test-kit.ts'

const DAY_MS = 86_400_000

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

function session(id: string, daysAgo: number): string {
  const file = path.join(at.home, '.claude/projects/-home-me-shop', `${id}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const about = {
    uuid: `u-${id}`,
    sessionId: id,
    cwd: '/home/me/shop',
    timestamp: '2026-05-01T10:00:00.000Z',
  }
  fs.writeFileSync(
    file,
    `${JSON.stringify({ type: 'user', ...about, message: { role: 'user', content: `about ${id}` } })}\n`,
  )
  const written = new Date(Date.now() - daysAgo * DAY_MS)
  fs.utimesSync(file, written, written)
  return file
}

async function claude() {
  const { archive, sources, machine } = at
  return (await vanishing(archive, sources, machine)).find(({ source }) => source === 'claude-code')
}

test('what Claude Code will delete, by default after 30 days, and what is only here', async () => {
  session('young', 2)
  session('old', 28)
  const gone = session('gone', 29)
  await at.sync()
  fs.rmSync(gone)
  session('unread', 27)
  const found = (await claude())!
  assert.deepEqual([found.soon, found.soonUnarchived, found.onlyHere], [2, 1, 1])
  assert.equal(found.retention?.days, 30)
  assert.equal(found.retention?.isSet, false)
  const inDays = (found.nextAt! - Date.now()) / DAY_MS
  assert.ok(inDays > 1.9 && inDays < 2.1, String(inDays))
})

test('cleanupPeriodDays of its settings counts', async () => {
  session('old', 28)
  await at.sync()
  fs.writeFileSync(path.join(at.home, '.claude/settings.json'), JSON.stringify({ cleanupPeriodDays: 365 }))
  const found = (await claude())!
  assert.deepEqual([found.soon, found.retention?.days, found.retention?.isSet], [0, 365, true])
  fs.writeFileSync(path.join(at.home, '.claude/settings.json'), 'not JSON')
  assert.equal((await claude())?.retention?.days, 30)
})

test('Gemini CLI keeps sessions for 30 days unless told otherwise', async () => {
  const gemini = at.sources.find(({ id }) => id === 'gemini-cli')!
  const set = (general: object) => {
    fs.mkdirSync(path.join(at.home, '.gemini'), { recursive: true })
    fs.writeFileSync(path.join(at.home, '.gemini/settings.json'), JSON.stringify({ general }))
    return gemini.retention!(at.machine)?.days
  }
  assert.equal(gemini.retention!(at.machine)?.days, 30)
  assert.equal(set({ sessionRetention: { maxAge: '2w' } }), 14)
  assert.equal(set({ sessionRetention: { enabled: false } }), undefined)
})
