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
    messages.map(({ kind, text, undone }) => [kind, text, undone]),
    [
      ['request', 'Weather in Rom?', true],
      ['request', 'Weather in Rome?', undefined],
      ['answer', 'I do not know.', true],
      ['answer', 'Sunny.', undefined],
    ],
  )
  assert.deepEqual(
    messages.slice(2).map(({ id }) => id),
    ['1780000001000-0.5', '1780000061000-0.1'],
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

test('a message is called the same when others before it were deleted', () => {
  const file = path.join(home, '2.conversation.json')
  const asked = (text: string) => ({ versions: [{ role: 'user', content: [{ type: 'text', text }] }] })
  const answered = (text: string, stepIdentifier?: string) => {
    const content = [{ type: 'text', text }]
    const steps = stepIdentifier && { steps: [{ type: 'contentBlock', stepIdentifier, content }] }
    return { versions: [{ role: 'assistant', content, ...steps }] }
  }
  const entries = [
    asked('One'),
    answered('1', '1780000001000-0.1'),
    asked('Go on'),
    answered('2', '1780000002000-0.2'),
    asked('Three'),
    answered('3'),
    asked('Go on'),
    answered('4'),
  ]
  const idsOf = (messages: object[]) => {
    fs.writeFileSync(file, JSON.stringify({ messages }))
    const { messages: told } = gather(lmStudio.read({ path: file, growth: 'whole' }, undefined, machine))
    return new Map(told['2']!.map(({ id, text }) => [id, text]))
  }
  const all = idsOf(entries)
  assert.equal(all.size, entries.length)
  for (const deleted of entries.keys())
    for (const [id, text] of idsOf(entries.toSpliced(deleted, 1)))
      assert.ok(!all.has(id) || all.get(id) === text, `${deleted}: ${text}`)
  const rest = idsOf(entries.toSpliced(0, 2))
  assert.deepEqual([...rest], [...all].slice(2))
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
