import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, lineEnds, machineAt, plainly, readGrowing } from '../test-kit.ts'
import { geminiCli as described } from './index.ts'

const geminiCli = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-gemini-spoken-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const machine = machineAt(home)

const asked = (id: string, status: string, output?: string) => ({
  id: 'm4',
  type: 'gemini',
  content: 'I need to know.',
  model: 'gemini-3-pro',
  toolCalls: [
    {
      id,
      name: 'ask_user',
      args: { questions: [{ question: 'Which shop?', header: 'Shop' }] },
      status,
      ...(output && { result: [{ functionResponse: { id, name: 'ask_user', response: { output } } }] }),
    },
  ],
})
const RECORDS = [
  { sessionId: 's1', projectHash: 'p', startTime: '2026-06-01T10:00:00Z', kind: 'main' },
  { id: 'm1', type: 'user', content: '/model' },
  { id: 'm2', type: 'user', content: [{ text: '/plan:new the shop\nwith a cart' }] },
  { id: 'm3', type: 'user', content: '/home/me/shop is where it lies' },
  asked('c1', 'executing'),
  asked('c1', 'success', '{"answers":{"0":"The one in Riga","1":"and no other"}}'),
  { id: 'm5', type: 'gemini', content: 'Planned.', model: 'gemini-3-pro' },
]

test('a command alone is none, words behind one and answers are requests', () => {
  const folder = path.join(home, '.gemini', 'tmp', 'p', 'chats')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'session-2026-06-01T10-00-s1.jsonl')
  fs.writeFileSync(
    file,
    RECORDS.map((record) => `${JSON.stringify({ timestamp: '2026-06-01T10:00:01Z', ...record })}\n`).join(''),
  )
  const unit = { path: file, growth: 'append' as const }
  const whole = gather(geminiCli.read(unit, undefined, machine))
  assert.deepEqual(
    whole.messages.s1!.map(({ kind, via, text }) => [kind, via, text]),
    [
      ['command', undefined, '/model'],
      ['request', '/plan:new', 'the shop\nwith a cart'],
      ['request', undefined, '/home/me/shop is where it lies'],
      ['answer', undefined, 'I need to know.'],
      ['request', 'answer', 'The one in Riga\nand no other'],
      ['answer', undefined, 'Planned.'],
    ],
  )
  const original = fs.readFileSync(file)
  for (const cuts of [lineEnds(original), ...lineEnds(original).map((end) => [end])])
    assert.deepEqual(plainly(readGrowing(geminiCli, unit, machine, cuts)), plainly(whole))
  for (const bytes of mutations(original, 500)) {
    fs.writeFileSync(file, bytes)
    gather(geminiCli.read(unit, undefined, machine))
  }
})

const HOOK = '<hook_context>Mind the style.</hook_context>'

/** What is recorded, what kind of message it is, and what of it was typed. */
const ABOUT: [recorded: string, kind: string, text: string][] = [
  ['Why does <hook_context> stand in my prompt?', 'request', 'Why does <hook_context> stand in my prompt?'],
  [`Why is <hook_context> there?\n\n${HOOK}`, 'request', 'Why is <hook_context> there?'],
  ['<session_context> in my log: why?', 'request', '<session_context> in my log: why?'],
  ['How long may a <state_snapshot> be?', 'request', 'How long may a <state_snapshot> be?'],
  [`Go on.\n--- Content from referenced files ---\nContent from @a.ts:\nx\n\n${HOOK}`, 'request', 'Go on.'],
  [HOOK, 'injected', HOOK],
]

test('a request that names a tag of the CLI is told whole', () => {
  const folder = path.join(home, '.gemini', 'tmp', 'q', 'chats')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'session-2026-06-01T10-00-s2.jsonl')
  const records = ABOUT.map(([content], at) => ({ id: `u${at}`, type: 'user', content }))
  const lines = [{ sessionId: 's2', projectHash: 'q', kind: 'main' }, ...records]
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { messages } = gather(geminiCli.read({ path: file, growth: 'append' }, undefined, machine))
  assert.deepEqual(
    messages.s2!.map(({ kind, text }) => [kind, text]),
    ABOUT.map(([, kind, text]) => [kind, text]),
  )
})
