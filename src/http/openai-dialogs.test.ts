import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { RunResult } from '../agent/agent.ts'
import { Dialogs, placed } from './openai-dialogs.ts'
import type { Said } from './openai-said.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-dialogs-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
fs.mkdirSync(path.join(folder, 'runs'))

const ids = Array.from({ length: 4 }, (_, n) => `0f3b9c52-7d1e-4c3a-9a55-6e2f0c1d7b8${n}`)
for (const id of ids) fs.writeFileSync(path.join(folder, 'runs', `${id}.jsonl`), '')
const [first = '', second = '', third = '', erased = ''] = ids
const user = (text: string): Said => ({ role: 'user', text })
const model = (text: string): Said => ({ role: 'assistant', text })
const ended = (sessionId: string, message: string, calls: RunResult['calls'] = []): RunResult => ({
  sessionId,
  message,
  calls,
  status: 'done',
  finish: 'stop',
  toolResults: [],
  usage: { steps: 1 },
  provider: 'p',
  model: 'm',
  approvals: [],
  notices: [],
})

test('two that went alike are told apart by their end, and by who went on', () => {
  const dialogs = new Dialogs(folder)
  dialogs.remember([user('hi')], 'Hello!', ended(first, 'Hello!'))
  dialogs.remember([user('hi')], 'Hello!', ended(second, 'Hello!'))
  dialogs.remember([user('hi')], 'Let me see. Good day.', ended(third, 'Good day.'))
  const asked = (answer: string) => placed([user('hi'), model(answer), user('more')], dialogs)
  assert.equal(asked('Good day.').sessionId, third)
  assert.equal(asked('Let me see.\n\nGood day. ').sessionId, third)
  assert.equal(asked('<think>who?</think>Good  day.').sessionId, third)
  assert.equal(asked('Hello!').sessionId, second)
  // The second has gone on: what ends as it did before is the other one.
  dialogs.remember([user('hi'), model('Hello!'), user('more')], 'Sure.', ended(second, 'Sure.'))
  assert.equal(asked('Hello!').sessionId, first)
  // An answer that nobody gave: it is another dialog, with its history.
  const foreign = asked('Edited by hand.')
  assert.equal(foreign.sessionId, undefined)
  assert.deepEqual(foreign.history, [user('hi'), model('Edited by hand.')])
  assert.equal(foreign.message, 'more')
})

test('they are known after a restart, without a word of theirs in the file', () => {
  const dialogs = new Dialogs(folder)
  const found = placed([user('hi'), model('Hello!'), user('more'), model('Sure.'), user('so')], dialogs)
  assert.equal(found.sessionId, second)
  const file = path.join(folder, 'agent-dialogs.jsonl')
  assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /Hello|Sure|more/)
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  fs.appendFileSync(file, '{"session":3}\nnot json\n')
  assert.equal(new Dialogs(folder).find([{ role: 'user', text: 'hi' }]), undefined)
})

test('results of calls go to whoever made them, and one that was erased begins again', () => {
  const dialogs = new Dialogs(folder)
  const call = { id: 'call_1', name: 'look', args: {} }
  dialogs.remember([user('hi there')], '', ended(first, '', [call]))
  const called: Said = { role: 'assistant', text: '', calls: [call] }
  const result: Said = { role: 'tool', callId: 'call_1', text: 'seen' }
  assert.deepEqual(placed([user('hi there'), called, result], dialogs), {
    sessionId: first,
    message: '',
    toolResults: [{ callId: 'call_1', text: 'seen' }],
  })
  const both = placed([user('hi there'), called, result, user('and?')], dialogs)
  assert.deepEqual([both.sessionId, both.message, both.toolResults?.length], [first, 'and?', 1])
  dialogs.remember([user('bye')], 'Bye.', ended(erased, 'Bye.'))
  fs.rmSync(path.join(folder, 'runs', `${erased}.jsonl`))
  const again = placed([user('bye'), model('Bye.'), user('again')], dialogs)
  assert.deepEqual([again.sessionId, again.history?.length], [undefined, 2])
})
