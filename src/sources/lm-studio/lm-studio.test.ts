import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine } from '../test-kit.ts'
import { lmStudio as described } from './index.ts'

const lmStudio = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lm-studio-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const machine = machineAt(home)
fs.cpSync(FIXTURES, path.join(home, '.lmstudio'), { recursive: true })

test('a conversation with a thought', () => {
  const reading = readMachine(lmStudio, machine)
  assert.deepEqual(
    reading.chats.find(({ id }) => id === '1770000000000'),
    {
      source: 'lm-studio',
      id: '1770000000000',
      title: 'My chat',
      createdAt: 1770000000000,
      updatedAt: 1770000005000,
      format: 'multi-step',
    },
  )
  const [request, answer] = reading.messages['1770000000000']!
  assert.deepEqual([request!.kind, request!.text, request!.createdAt], ['request', 'Hi', 1770000000000])
  assert.deepEqual([answer!.text, answer!.thinking], ['Hello!', 'reasoning…'])
  assert.equal(answer!.model, 'gpt-oss-20b')
  assert.equal(answer!.createdAt, 1770000001000)
  assert.deepEqual(answer!.usage, { input: 95, output: 160 })
  assert.equal(answer!.latencyMs, 4900)
})

test('edited requests, answers given anew, tools, and a folder of the person', () => {
  const reading = readMachine(lmStudio, machine)
  const messages = reading.messages['1780000000000']!
  assert.deepEqual(
    messages.map(({ id, kind, text, undone }) => [id, kind, text, undone]),
    [
      ['0.0', 'request', 'Weather in Rom?', true],
      ['0.1', 'request', 'Weather in Rome?', undefined],
      ['1.0', 'answer', 'I do not know.', true],
      ['1.1', 'answer', 'Sunny.', undefined],
    ],
  )
  assert.deepEqual(messages[1]!.attachments, [
    { name: '1780000000000 - map.png', type: 'image', bytes: 2048 },
  ])
  const answer = messages[3]!
  assert.deepEqual(answer.toolCalls, [
    { id: 'req_1', server: 'weather', tool: 'forecast', args: { city: 'Rome' } },
  ])
  assert.deepEqual(answer.toolResults, [{ callId: 'req_1', text: 'sunny' }])
  assert.deepEqual(answer.usage, { input: 220, output: 15 })
})

test('roots, also of a folder that was moved', () => {
  const paths = () => lmStudio.roots(machine).map((root) => path.relative(home, root.path))
  assert.deepEqual(paths(), ['.lmstudio/conversations', '.cache/lm-studio/conversations'])
  const pointer = path.join(home, '.lmstudio-home-pointer')
  fs.writeFileSync(pointer, `${home}/elsewhere\n`)
  assert.deepEqual(paths()[0], 'elsewhere/conversations')
  fs.writeFileSync(pointer, path.join(home, '.lmstudio'))
  assert.equal(paths().length, 2)
  fs.writeFileSync(pointer, 'relative')
  assert.equal(paths().length, 2)
  fs.rmSync(pointer)
  assert.equal(lmStudio.unit('a/config.json', { path: '/r' }), undefined)
  assert.ok(lmStudio.enters('Work/Customers', { path: '/r' }))
})

test('damaged files are survived', () => {
  const file = path.join(home, '1.conversation.json')
  for (const name of ['1770000000000', 'Work/1780000000000']) {
    const original = fs.readFileSync(path.join(FIXTURES, 'conversations', `${name}.conversation.json`))
    for (const bytes of mutations(original, 2000)) {
      fs.writeFileSync(file, bytes)
      gather(lmStudio.read({ path: file, growth: 'whole' }, undefined, machine))
    }
  }
})
