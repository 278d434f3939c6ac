import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { lineEnds, machineAt, plainly, readGrowing, readMachine, unitsOf } from '../test-kit.ts'
import { codex as described } from './index.ts'

const codex = await withReader(described)

/** Sessions as Codex 0.166.0 wrote them; only long texts of its own were cut. */
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-codex-real-'))
fs.cpSync(path.join(import.meta.dirname, 'fixtures', 'real'), temp, { recursive: true })
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const machine = machineAt('/nowhere', { CODEX_HOME: temp })
const whole = readMachine(codex, machine)
const chat = (id: string) => whole.chats.find((one) => one.id === id)!

const PARTLY_FAILED = '01a1dd8f-13b0-77a2-996a-a1c46328ffba'
const FORK = '01a1dd8f-1680-7062-adb1-bad49c3fc3e7'
const BY_CODE = '01a1dd91-2c91-7552-baf3-ea7937f4d074'
const PARENT = '01a1dd91-2ed6-7323-b77d-05f4637700f2'
const SUBAGENT = '01a1dd91-3015-71d2-8f61-479d597e7004'
const REVERTED = '01a1dd91-cbdd-7712-9b3b-032f17d968f8'

test('real sessions tell who said what', () => {
  const expected: Record<string, string[]> = {
    [PARTLY_FAILED]: [
      'request: Please do two things.',
      'answer: Both at once. [exec_command, apply_patch]',
      "tool: (ls: cannot access 'nothing-here': No such file or directory)",
      'tool: (Success. Updated the following files:)',
      'answer: One was missing, the other is done.',
    ],
    [FORK]: ['request: Please go on there.', 'answer: Went on in the fork.'],
    [BY_CODE]: [
      'request: Please read it by code.',
      'answer: Reading. [exec]',
      'tool: (Remember the milk.)',
      'answer: It is about milk.',
    ],
    [PARENT]: [
      'request: Please delegate it.',
      'answer: Asking a helper. [spawn_agent]',
      'tool: ({"task_name":"/root/count"})',
      'answer:  [wait_agent]',
      'tool: ({"message":"Wait completed.","timed_out":false})',
      'tool: A helper is at it.',
      'answer: A helper is at it.',
    ],
    [SUBAGENT]: ['delegated: Count the words in notes.txt', 'answer: A helper is at it.'],
  }
  for (const [id, lines] of Object.entries(expected)) {
    assert.deepEqual(said(id), lines, id)
  }
  assert.deepEqual(whole.chats.map((one) => one.id).sort(), [...Object.keys(expected), REVERTED].sort())
  assert.deepEqual(whole.problems, [])
})

test('what a reverted thread took back is undone, and comes before what replaced it', () => {
  assert.deepEqual(said(REVERTED), [
    'request: Make a good start.',
    'answer: A good start.',
    'request: Take the wrong turn. undone',
    'answer: Went the wrong way. undone',
    'request: Take the right turn.',
    'answer: Went the right way.',
    'request: Start the long build.',
    'answer: Building. [exec_command] cancelled',
    'tool: (Wall time: 4.2 seconds)',
    'notice: <turn_aborted>',
  ])
  assert.equal(chat(REVERTED).createdAt, Date.parse('2026-11-15T04:58:02.103Z'))
})

test('only MCP tools belong to a server, and the head of an output tells its duration', () => {
  const calls = [BY_CODE, PARENT].flatMap((id) => whole.messages[id]!.flatMap((one) => one.toolCalls ?? []))
  assert.deepEqual(
    calls.map(({ tool, server }) => [tool, server]),
    [
      ['exec', undefined],
      ['spawn_agent', undefined],
      ['wait_agent', undefined],
    ],
  )
  const [result] = whole.messages[BY_CODE]!.flatMap((one) => one.toolResults ?? [])
  assert.deepEqual([result!.text, result!.durationMs], ['Remember the milk.\n', 100])
})

test('a fork and a sub-agent name the thread they came from', () => {
  assert.equal(chat(FORK).forkOf, PARTLY_FAILED)
  assert.deepEqual([chat(SUBAGENT).parentId, chat(SUBAGENT).subagent], [PARENT, true])
})

test('a real session that grows ends as a whole reading does', () => {
  for (const unit of unitsOf(codex, machine)) {
    const cuts = lineEnds(fs.readFileSync(unit.path))
    const [grown, read] = [cuts, []].map((each) => plainly(readGrowing(codex, unit, machine, each)))
    assert.deepEqual(grown, read, unit.path)
  }
})

function said(id: string): string[] {
  return whole.messages[id]!.filter((message) => message.kind !== 'injected').map(line)
}

function line({ kind, text, toolCalls, toolResults, outcome, undone }: Message): string {
  const called = toolCalls ? ` [${toolCalls.map((call) => call.tool).join(', ')}]` : ''
  const given = toolResults ? `(${toolResults.map(({ text = '' }) => text.split('\n')[0]).join(', ')})` : ''
  return `${kind}: ${text.split('\n')[0]}${given}${called}${outcome ? ` ${outcome}` : ''}${undone ? ' undone' : ''}`
}
