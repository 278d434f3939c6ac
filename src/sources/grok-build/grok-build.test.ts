import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt, type Reading, readMachine, unitsOf } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { grokBuild as described } from './index.ts'

const grokBuild = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-grok-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const SEEN = '01a1ded5-c578-7d71-993a-4d4d74400c2f'
const PARENT = '01a1dee8-7a59-73c1-aa93-f72662a5e573'
const CHILD = '01a1dee8-7aec-71e0-89c6-62fe31ab705e'
const reading = readMachine(grokBuild, machine)

test('a session of 1.0.41', () => {
  const { chats, messages, problems } = reading
  assert.deepEqual(problems, [])
  assert.deepEqual(
    chats.find(({ id }) => id === SEEN),
    {
      source: 'grok-build',
      id: SEEN,
      title: 'Shop name question',
      workspace: '/home/me/shop',
      branch: 'main',
      createdAt: Date.parse('2026-11-15T10:51:54.112Z'),
      updatedAt: chats.find(({ id }) => id === SEEN)!.updatedAt,
      format: 'v1',
    },
  )
  assert.deepEqual(
    messages[SEEN]?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Please read README.md and tell me the name of the shop.'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'The shop is called Corner Shop.'],
      ['request', 'Thanks. Which port does it use?'],
      ['answer', 'It listens on port 8080.'],
    ],
  )
  const [, call, result, answer] = messages[SEEN]!
  assert.deepEqual(
    call!.toolCalls?.map(({ id, tool }) => [id, tool]),
    [['call_2', 'read_file']],
  )
  assert.equal(call!.thinking, 'I should look at the readme.')
  assert.match(result!.toolResults![0]!.text!, /# Corner Shop/)
  assert.deepEqual(answer!.usage, { input: 2400, output: 40, cached: 2000, cacheWrite: 0, reasoning: 10 })
  assert.equal(answer!.model, 'gpt-4.1')
})

test('a sub-agent, and a reminder that is no request', () => {
  const { chats, messages } = reading
  assert.deepEqual(
    messages[PARENT]?.filter(({ role }) => role === 'user').map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Please delegate: let a helper say the shop name.'],
      ['injected', '<system-reminder>\nA helper is done.\n</system-reminder>'],
    ],
  )
  const child = chats.find(({ id }) => id === CHILD)!
  assert.deepEqual([child.subagent, child.parentId], [true, PARENT])
  assert.equal(messages[CHILD]?.[0]?.kind, 'delegated')
})

test('the prompt of a sub-agent is no request, though its summary comes after it or is only half there', () => {
  const unit = unitsOf(grokBuild, machine).find(({ path: file }) => file.includes(CHILD))!
  const summary = path.join(path.dirname(unit.path), 'summary.json')
  const whole = fs.readFileSync(summary)
  let read: Reading | undefined
  for (const part of [whole.subarray(0, 10), whole, whole.subarray(0, 10)]) {
    fs.writeFileSync(summary, part)
    read = gather(grokBuild.read(unit, read?.checkpoint, machine), read)
  }
  fs.writeFileSync(summary, whole)
  assert.deepEqual(
    read?.messages[CHILD]?.map(({ kind, text }) => [kind, text]),
    reading.messages[CHILD]?.map(({ kind, text }) => [kind, text]),
  )
})

test('read while it grows, and read once', () => assertGrows(grokBuild, machine))

test('no damage makes it throw', () => assertSurvives(grokBuild, machine))

test('where it is looked for', () => {
  const root = (env: Record<string, string>) => grokBuild.roots(machineAt('/home/me', env))[0]!.path
  assert.equal(root({}), '/home/me/.grok/sessions')
  assert.equal(root({ GROK_HOME: '/g' }), '/g/sessions')
  const unit = (file: string) => grokBuild.unit(file, { path: '/r' })?.path
  assert.equal(unit('p/s/summary.json'), '/r/p/s/updates.jsonl')
  assert.equal(unit('p/s/subagents/c/meta.json'), '/r/p/c/updates.jsonl')
  for (const name of ['p/s/chat_history.jsonl', 'p/s/events.jsonl', 'p/prompt_history.jsonl'])
    assert.equal(unit(name), undefined)
})
