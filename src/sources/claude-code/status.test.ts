import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt } from '../test-kit.ts'
import { claudeCode as described } from './index.ts'

const claudeCode = await withReader(described)

const HOME = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-claude-status-'))
after(() => fs.rmSync(HOME, { recursive: true, force: true }))

const said = (content: unknown) => ({ type: 'user', message: { role: 'user', content } })
const answered = (block: object, stop_reason: string | null) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [block], stop_reason },
})
const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string) => said([{ type: 'tool_result', tool_use_id: id, content: 'ok' }])
const text = { type: 'text', text: 'Done.' }

/** What the chat's status is after each line. */
function statuses(lines: object[]): (string | undefined)[] {
  const file = path.join(HOME, '0f3b9c52-7d1e-4c3a-9a55-6e2f0c1d7b84.jsonl')
  return lines.map((_, n) => {
    const written = lines
      .slice(0, n + 1)
      .map((line, at) =>
        JSON.stringify({ uuid: `u${at}`, parentUuid: at ? `u${at - 1}` : null, sessionId: 's', ...line }),
      )
    fs.writeFileSync(file, `${written.join('\n')}\n`)
    return gather(claudeCode.read({ path: file, growth: 'append' }, undefined, machineAt(HOME))).chats[0]
      ?.status
  })
}

test('a turn runs until it ends, and waits while it asks', () => {
  const lines = [
    said('Build it'),
    answered(call('t1', 'Bash'), 'tool_use'),
    result('t1'),
    answered(call('t2', 'AskUserQuestion'), 'tool_use'),
    result('t2'),
    answered(text, 'end_turn'),
    said('And now?'),
    said([{ type: 'text', text: '[Request interrupted by user]' }]),
  ]
  assert.deepEqual(statuses(lines), [
    'running',
    'running',
    'running',
    'waiting',
    'running',
    'done',
    'running',
    'cancelled',
  ])
})

test('a version that does not say why it stopped is not running for ever', () => {
  const lines = [said('Hello'), answered(call('t1', 'Read'), null), result('t1'), answered(text, null)]
  assert.deepEqual(statuses(lines), ['running', 'running', 'running', 'done'])
})
