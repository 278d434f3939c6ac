import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { lineEnds, machineAt, plainly, readGrowing, readMachine, unitsOf } from '../test-kit.ts'
import { geminiCli as described } from './index.ts'

const geminiCli = await withReader(described)

/** Sessions as Gemini CLI 0.61.0 wrote them; only long texts of its own were cut. */
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-gemini-real-'))
fs.cpSync(path.join(import.meta.dirname, 'fixtures', 'real'), temp, { recursive: true })
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const machine = machineAt('/nowhere', { GEMINI_CLI_HOME: temp })
const whole = readMachine(geminiCli, machine)

const REWOUND = '8ca9408b-49f9-4a96-bef9-82a50db7100e'
const PARENT = 'ec709354-25e5-4815-9e8f-2e9a0214dde3'
const SUBAGENT = 'a5c3cc04-c1ab-411e-92d6-8cd9366948fc'

test('real sessions tell who said what', () => {
  const expected: Record<string, string[]> = {
    [REWOUND]: [
      'request: Make a good start.',
      'answer: A good start.',
      'request: Take the wrong turn. undone',
      'answer: Went the wrong way. undone',
      'request: Take the right turn.',
      'answer: Went the right way.',
      'command: I ran the following shell command:',
      'request: Start the long build.',
      'answer: Building.',
      'notice: Request cancelled.',
      'answer:  [run_shell_command] (cancelled)',
    ],
    [PARENT]: [
      'request: Please delegate it.',
      "answer: Asking a helper. [invoke_agent] (Subagent 'generalist' finished.)",
      'answer: Three words, says the helper.',
    ],
    [SUBAGENT]: [
      'delegated: Count the words in notes.txt',
      'answer:  [complete_task] (params/result must be object)',
      'answer: Three words.',
      'answer: Three words.',
    ],
  }
  for (const [id, lines] of Object.entries(expected)) {
    const said = whole.messages[id]!.filter((message) => message.kind !== 'injected')
    assert.deepEqual(said.map(line), lines, id)
  }
  assert.deepEqual(whole.chats.map((one) => one.id).sort(), Object.keys(expected).sort())
  assert.deepEqual(whole.problems, [])
})

test('only a sub-agent is told by the CLI itself to come to an end', () => {
  const [last] = whole.messages[SUBAGENT]!.filter(({ text }) => text.startsWith('You have stopped calling'))
  assert.deepEqual([last?.role, last?.kind], ['system', 'injected'])
})

test('a sub-agent names the session that started it', () => {
  const { parentId, subagent, workspace } = whole.chats.find((one) => one.id === SUBAGENT)!
  assert.deepEqual([parentId, subagent, workspace], [PARENT, true, '/home/me/proj'])
})

test('a real session that grows ends as a whole reading does', () => {
  for (const unit of unitsOf(geminiCli, machine)) {
    const cuts = lineEnds(fs.readFileSync(unit.path))
    const [grown, read] = [cuts, []].map((each) => plainly(readGrowing(geminiCli, unit, machine, each)))
    assert.deepEqual(grown, read, unit.path)
  }
})

function line({ kind, text, toolCalls, toolResults, undone }: Message): string {
  const called = toolCalls ? ` [${toolCalls.map((call) => call.tool).join(', ')}]` : ''
  const given = toolResults
    ? ` (${toolResults.map(({ text = '', error }) => (error ?? text).split('\n')[0]).join(', ')})`
    : ''
  return `${kind}: ${text.split('\n')[0]}${called}${given}${undone ? ' undone' : ''}`
}
