import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { hostName } from '../platform/lock.ts'
import { mutations } from '../sources/mutations.ts'
import { runFile } from '../sources/recollect-agent/place.ts'
import { completeLog } from './complete-log.ts'
import { isRunning, RunLog, readRun, runId } from './runs.ts'
import { listSessions, readSession } from './sessions.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-runs-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

test('one writes at a time; a lock whose owner is dead holds nobody up', async () => {
  const log = RunLog.begin(folder, '/w')
  assert.ok(isRunning(folder, log.id))
  await assert.rejects(RunLog.open(folder, log.id, 50), { code: 'SESSION_BUSY' })
  log.close()
  assert.equal(isRunning(folder, log.id), false)
  const lock = path.join(folder, 'runs', `.${log.id}.jsonl.lock`)
  const beforeStart = new Date(Date.now() - os.uptime() * 1_000 - 60_000)
  // Of a process that ended, and of one whose number another has since the machine was started again.
  for (const [pid, at] of [
    [999_999_999, new Date()],
    [process.ppid, beforeStart],
  ] as const) {
    fs.writeFileSync(lock, JSON.stringify({ token: '0123456789abcdef', pid, host: hostName() }))
    fs.utimesSync(lock, at, at)
    assert.equal(isRunning(folder, log.id), false)
    const again = await RunLog.open(folder, log.id)
    again.append({ type: 'notice', text: 'here' })
    again.close()
  }
  assert.deepEqual(
    readRun(folder, log.id).map(({ type }) => type),
    ['session', 'notice', 'notice'],
  )
})

test('half a line, and what was being said, survive a killed process', async () => {
  const log = RunLog.begin(folder, '/w')
  log.append({ type: 'request', id: 'r1', text: 'q', provider: 'p', model: 'm' })
  log.append({ type: 'piece', id: 'a1', text: 'half an ' })
  log.append({ type: 'piece', id: 'a1', text: 'answer' })
  log.close()
  fs.appendFileSync(runFile(folder, log.id), '{"type":"answer","id":"a1","te')
  const again = await RunLog.open(folder, log.id)
  completeLog(again)
  completeLog(again)
  again.close()
  const { messages, status } = readSession(folder, log.id)
  assert.equal(status, 'failed')
  assert.deepEqual(
    messages.map(({ role, text }) => [role, text]),
    [
      ['user', 'q'],
      ['assistant', 'half an answer'],
    ],
  )
})

test('ids are found by their beginning, and nothing else is taken for one', () => {
  const [first] = listSessions(folder)
  assert.equal(runId(folder, first!.id.slice(0, 6)), first!.id)
  assert.equal(runId(folder, `recollect-agent:${first!.id}`), first!.id)
  for (const bad of ['', 'abc', '../../etc/passwd', 'zzzzzzzz', `${first!.id}/x`])
    assert.throws(() => runId(folder, bad), { code: 'SESSION_NOT_FOUND' }, bad)
})

test('no damage to a file keeps sessions from being listed and read', () => {
  const [{ id } = { id: '' }] = listSessions(folder)
  const file = runFile(folder, id)
  const original = fs.readFileSync(file)
  for (const bytes of mutations(original, 300)) {
    fs.writeFileSync(file, bytes)
    assert.equal(listSessions(folder).length, 2)
    readSession(folder, id)
  }
  fs.writeFileSync(file, original)
})
