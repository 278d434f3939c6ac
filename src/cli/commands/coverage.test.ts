import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'

/** The sources, or what `npm test` bundled of them. */
const command = process.env.RECOLLECT_TESTED ?? path.join(import.meta.dirname, '../../..', 'bin', 'recollect')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-coverage-cli-'))
const session = path.join(home, '.claude/projects/-home-me-proj/11111111-2222-4333-8444-555555555555.jsonl')
after(() => fs.rmSync(home, { recursive: true, force: true }))

function recollect(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: home, RECOLLECT_HOME: path.join(home, 'archive') }
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], {
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

const about = { sessionId: path.basename(session, '.jsonl'), version: '9.9.1', cwd: '/home/me/proj' }
const asked = (uuid: string, content: string) => ({
  ...about,
  parentUuid: null,
  type: 'user',
  uuid,
  timestamp: `2026-05-01T10:00:0${uuid.length}.000Z`,
  message: { role: 'user', content },
})

before(() => {
  fs.mkdirSync(path.dirname(session), { recursive: true })
  const records = [
    asked('a', 'Fix the build'),
    { ...about, type: 'mode', mode: 'plan' },
    asked('bb', 'And the docs'),
  ]
  fs.writeFileSync(session, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  recollect('sync')
})

test('what the files hold, and what of it is archived', () => {
  const { coverage } = JSON.parse(recollect('doctor', '--coverage', '--json'))
  assert.equal(coverage.length, 1)
  const [{ records, ...row }] = coverage
  assert.deepEqual(row, {
    source: 'claude-code',
    name: 'Claude Code',
    version: '9.9.1',
    files: 1,
    chats: 1,
    turns: { counted: 2, archived: 2 },
  })
  assert.deepEqual(records, {
    used: [{ kind: 'user', records: 2 }],
    ignored: [{ kind: 'mode', records: 1 }],
    unknown: [],
  })
  const told = recollect('doctor', '--coverage')
  assert.match(told, /^Claude Code 9\.9\.1 {2}1 file, 1 chat$/m)
  assert.match(told, /✓ said by you: 2 counted, 2 archived/)
  assert.match(told, /Every kind of record is known, and nothing you said is missing/)
  assert.doesNotMatch(recollect('status'), /something new/)
})

test('a version that writes something new is noticed by the sync that meets it', () => {
  fs.appendFileSync(
    session,
    `${JSON.stringify({ ...about, version: '9.9.2', type: 'telepathy', thought: 'x' })}\n`,
  )
  recollect('sync')
  assert.match(recollect('status'), /! Claude Code writes something new: "telepathy"/)
  assert.match(recollect('doctor'), /! Claude Code writes something new: "telepathy"/)
  const [unknown] = JSON.parse(recollect('status', '--json')).unknown
  assert.deepEqual([unknown.source, unknown.kind, unknown.path], ['claude-code', 'telepathy', session])
  const told = recollect('doctor', '--coverage')
  assert.match(told, /unknown {2}telepathy 1/)
  assert.match(told, /1 kind of records is not known to this version/)
})

test('what was said and is not archived is counted', () => {
  fs.appendFileSync(session, `${JSON.stringify(asked('ccc', 'One more thing'))}\n`)
  assert.match(recollect('doctor', '--coverage'), /! said by you: 3 counted, 2 archived/)
})

test('the sync that cannot read a record says so, and the next one no more', () => {
  fs.appendFileSync(session, '{"type":"user", half of a record\n')
  assert.match(recollect('sync'), /1 record could not be read: `recollect doctor` tells which/)
  assert.doesNotMatch(recollect('sync'), /could not be read/)
  assert.match(recollect('doctor'), /1 record could not be read[\s\S]*not valid JSON/)
})
