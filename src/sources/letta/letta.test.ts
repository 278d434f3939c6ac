import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { letta as described } from './index.ts'

const letta = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-letta-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
/** As every agent has one before anything is said. */
const empty = path.join(home, '.letta/lc-local-backend/conversations/ZGVmYXVsdA')
fs.mkdirSync(empty)
fs.writeFileSync(path.join(empty, 'conversation.json'), '{"id":"default","agent_id":"a"}')
fs.writeFileSync(path.join(empty, 'messages.jsonl'), '\n')
const machine = machineAt(home)
const AGENT = 'agent-local-720853b7-2ffd-44a9-9838-b4d0e3995013'

test('conversations of 0.25.9: the words of the person, and no counter taken for a time', () => {
  const { chats, messages, problems } = readMachine(letta, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    chats.map(({ id }) => id),
    [`${AGENT}:local-conv-1`, `${AGENT}:local-conv-2`],
    'an empty conversation is none',
  )
  assert.deepEqual(
    [chats[0]!.createdAt, chats[0]!.updatedAt, chats[0]!.format],
    [Date.parse('2026-11-15T11:01:57.848Z'), 1794740518378, 'pi-ai-message-jsonl'],
  )
  assert.deepEqual(
    messages[`${AGENT}:local-conv-1`]?.map(({ kind, text, createdAt }) => [kind, text, createdAt]),
    [
      ['request', 'Please read README.md and tell me the name of the shop.', undefined],
      ['answer', '', 1794740518171],
      ['tool', '', undefined],
      ['answer', 'The shop is called Corner Shop.', 1794740518378],
    ],
  )
})

test('newer files hold entries', () => {
  const [unit] = unitsOf(letta, machine)
  const before = fs.readFileSync(unit!.path)
  const entry = { type: 'message', id: 'e1', parentId: null, timestamp: '2026-01-01T00:00:01.000Z' }
  fs.writeFileSync(
    unit!.path,
    `${JSON.stringify({ ...entry, message: { role: 'user', content: 'hello' } })}\n`,
  )
  const { messages } = gather(letta.read(unit!, undefined, machine))
  fs.writeFileSync(unit!.path, before)
  assert.deepEqual(
    Object.values(messages)
      .flat()
      .map(({ kind, text, createdAt }) => [kind, text, createdAt]),
    [['request', 'hello', undefined]],
  )
})

test('no damage makes it throw', () => assertSurvives(letta, machine))

test('where it is looked for', () => {
  const [root] = letta.roots(machineAt('/home/me', { LETTA_LOCAL_BACKEND_DIR: '/data/letta' }))
  assert.equal(root!.path, '/data/letta/conversations')
  assert.equal(
    letta.unit('Y29/conversation.json', root!)?.path,
    '/data/letta/conversations/Y29/messages.jsonl',
  )
  assert.equal(letta.unit('Y29/system-prompt.json', root!), undefined)
  assert.equal(letta.unit('../providers/auth.json', root!), undefined)
})
