import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import {
  anyCuts,
  gather,
  lineEnds,
  machineAt,
  plainly,
  readGrowing,
  readMachine,
  unitsOf,
} from '../test-kit.ts'
import { homes } from './fixture-homes.ts'
import { kimiCli as describedKimiCli, kimiCode as describedKimiCode } from './index.ts'

const kimiCli = await withReader(describedKimiCli)
const kimiCode = await withReader(describedKimiCode)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kimi-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
for (const { put } of homes) put(home)
const machine = machineAt(home)
const SESSION = 'session_5233b142-abd6-45ef-991b-aed32e13e601'

test('a session of Kimi Code 2.1', () => {
  const { chats, messages, problems } = readMachine(kimiCode, machine)
  assert.deepEqual(problems, [])
  const chat = chats.find(({ id }) => id === SESSION)!
  assert.deepEqual([chat.workspace, chat.format, chat.title], ['/home/me/shop', 'v2', undefined])
  assert.deepEqual(
    messages[SESSION]?.filter(({ kind }) => kind !== 'injected').map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Please read README.md and tell me the name of the shop.'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'The shop is called Corner Shop.'],
      ['request', 'Thanks. Which port does it use?'],
      ['answer', 'It listens on port 8080.'],
    ],
  )
  assert.equal(messages[SESSION]!.filter(({ kind }) => kind === 'injected').length, 3)
  const answer = messages[SESSION]!.find(({ kind }) => kind === 'answer')!
  assert.deepEqual(
    answer.toolCalls?.map(({ id, tool }) => [id, tool]),
    [['call_1', 'Read']],
  )
  assert.deepEqual(
    [answer.model, answer.thinking, answer.usage],
    ['gpt-4.1', 'I should look at the readme.', { input: 1200, output: 20, cached: 1000, cacheWrite: 0 }],
  )
  const result = messages[SESSION]!.find(({ kind }) => kind === 'tool')!
  assert.match(result.toolResults![0]!.text!, /Corner Shop/)
})

test('its sub-agents', () => {
  const { chats, messages } = readMachine(kimiCode, machine)
  const id = `${SESSION}/agent-0`
  const chat = chats.find((each) => each.id === id)!
  assert.deepEqual([chat.subagent, chat.parentId], [true, SESSION])
  assert.deepEqual(
    messages[id]?.map(({ kind, text, via }) => [kind, text, via]),
    [
      ['delegated', 'Count the files', undefined],
      ['answer', 'Three.', undefined],
      ['request', 'Only the tests', 'queued'],
      ['notice', 'turn cancelled', undefined],
    ],
  )
})

test('a session of the program in Python', () => {
  const { chats, messages, problems } = readMachine(kimiCli, machine)
  assert.deepEqual(problems, [])
  const [chat] = chats
  assert.deepEqual([chat!.title, chat!.workspace], ['Failing tests', '/home/me/shop'])
  assert.deepEqual(
    messages[chat!.id]?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Which tests fail?'],
      ['answer', 'I will run them.'],
      ['tool', ''],
      ['answer', 'Only one.'],
      ['request', 'Fix it'],
    ],
  )
  const [, answer, result] = messages[chat!.id]!
  assert.deepEqual(answer!.toolCalls, [{ id: 'c1', tool: 'Bash', args: { command: 'npm test' } }])
  assert.deepEqual(answer!.usage, { input: 150, output: 20, cached: 50, cacheWrite: 0 })
  assert.deepEqual(result!.toolResults, [{ callId: 'c1', error: '1 failed' }])
})

const both = [kimiCode, kimiCli].flatMap((source) =>
  unitsOf(source, machine).map((unit) => ({ source, unit })),
)

test('read while it grows, and read once', () => {
  const random = randomFrom(3)
  for (const { source, unit } of both) {
    const bytes = fs.readFileSync(unit.path)
    const whole = plainly(gather(source.read(unit, undefined, machine)))
    const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
    for (const cuts of [lineEnds(bytes), ...ways])
      assert.deepEqual(plainly(readGrowing(source, unit, machine, cuts)), whole)
  }
})

test('no damage makes it throw', () => {
  for (const { source, unit } of both) {
    const bytes = fs.readFileSync(unit.path)
    for (const damaged of mutations(bytes, 1000)) {
      fs.writeFileSync(unit.path, damaged)
      gather(source.read(unit, undefined, machine))
    }
    fs.writeFileSync(unit.path, bytes)
  }
})

test('where they are looked for', () => {
  const roots = (env: Record<string, string>) =>
    kimiCode.roots(machineAt('/home/me', env)).map((root) => root.path)
  assert.equal(roots({})[0], '/home/me/.kimi-code/sessions')
  assert.equal(roots({ KIMI_CODE_HOME: '/k' })[0], '/k/sessions')
  const root = { path: '/r' }
  assert.equal(kimiCode.unit('wd/s/state.json', root)?.path, '/r/wd/s/agents/main/wire.jsonl')
  assert.ok(kimiCode.enters('wd/conv-1', root) && !kimiCode.enters('wd/ctitle-1', root))
  assert.equal(kimiCli.roots(machineAt('/home/me'))[0]!.path, '/home/me/.kimi/sessions')
  assert.equal(kimiCli.unit('h/s/context.jsonl', root), undefined)
})
