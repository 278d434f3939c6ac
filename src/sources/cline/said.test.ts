import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { machineAt, type Reading, readMachine } from '../test-kit.ts'
import { rooCode as described } from './index.ts'
import { typedText } from './wrappers.ts'

const rooCode = await withReader(described)

/** Everything a person says to Cline and Roo Code, however it gets there, and nothing else. */

const homes: string[] = []
let home: string
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'cline-said-'))
  homes.push(home)
})
after(() => {
  for (const each of homes) fs.rmSync(each, { recursive: true, force: true })
})

const ID = '0197c0de-0000-7000-8000-00000000000a'
const AT = 1_780_000_000_000

function put(files: Record<string, unknown>, id = ID): void {
  const folder = path.join(home, '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks', id)
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files))
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content))
}

const read = (): Reading => readMachine(rooCode, machineAt(home))
const inWords = ({ kind, via, text }: Message) => `${kind}${via ? ` via ${via}` : ''}: ${text}`
const said = (reading: Reading, id = ID) =>
  reading.messages[id]!.filter(({ role }) => role === 'user').map(inWords)
const seen = (...entries: [what: string, text: string][]) =>
  entries.map(([what, text], index) => {
    const [type, name] = what.split(' ') as [string, string]
    return { ts: AT + index * 1000, type, [type]: name, text }
  })

test('a task of which only what was seen is left', () => {
  put({
    'ui_messages.json': seen(['say text', 'Fix the parser'], ['say completion_result', 'Fixed.']),
    'history_item.json': { id: ID, ts: AT, workspace: '/home/me/proj' },
  })
  const reading = read()
  assert.deepEqual([reading.chats[0]!.id, reading.chats[0]!.workspace], [ID, '/home/me/proj'])
  assert.deepEqual(reading.messages[ID]!.map(inWords), ['request: Fix the parser', 'answer: Fixed.'])
})

test('feedback: on a tool that waits, on a question, on a result, behind a command', () => {
  put({
    'ui_messages.json': seen(
      ['say text', '/deep-planning move the store'],
      ['say api_req_started', '{}'],
      ['ask tool', '{"tool":"editedExistingFile","path":"a.ts","diff":"-1"}'],
      ['say user_feedback', 'not this file'],
      ['say api_req_started', '{}'],
      ['ask followup', '{"question":"Which one?","suggest":[{"answer":"b.ts"}]}'],
      ['say user_feedback', 'b.ts'],
      ['say api_req_started', '{}'],
      ['ask command', 'npm test'],
      ['say command_output', 'ok'],
      ['say completion_result', 'Done.'],
      ['ask completion_result', ''],
      ['say user_feedback', 'now the lexer'],
      ['ask completion_result', ''],
      ['say user_feedback', '/compact'],
      ['ask completion_result', ''],
      ['say user_feedback', '/tmp is full'],
    ),
  })
  assert.deepEqual(said(read()), [
    'request via /deep-planning: move the store',
    'request via refusal: not this file',
    'request via answer: b.ts',
    'request: now the lexer',
    'command: /compact',
    'request: /tmp is full',
  ])
})

test('output that comes when the next call of the model has begun, and an edit that failed', () => {
  put({
    'ui_messages.json': seen(
      ['say text', 'Run the tests'],
      ['say api_req_started', '{}'],
      ['ask command', 'npm test'],
      ['say api_req_started', '{}'],
      ['say command_output', '1 failing'],
      ['ask tool', '{"tool":"appliedDiff","path":"a.ts","diff":"-1"}'],
      ['say diff_error', 'No match for the search block'],
    ),
  })
  const calls = read().messages[ID]!.flatMap(({ toolCalls, toolResults }) =>
    (toolCalls ?? []).map(({ id, tool }) => {
      const result = toolResults?.find(({ callId }) => callId === id)
      return [tool, result?.text ?? `failed: ${result?.error}`]
    }),
  )
  assert.deepEqual(calls, [
    ['execute_command', '1 failing'],
    ['appliedDiff', 'failed: No match for the search block'],
  ])
})

test('the transcript of the model alone: wrappers and results of tools are no requests', () => {
  const user = (...texts: string[]) => ({
    role: 'user',
    content: texts.map((text) => ({ type: 'text', text })),
  })
  const use = (id: string, name: string, input: object) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name, input }],
  })
  const result = (id: string, content: string) => ({
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: id, content },
      { type: 'text', text: '<environment_details>\n# Open Tabs\n</environment_details>' },
    ],
  })
  put({
    'api_conversation_history.json': [
      user(
        '<task>\nMove the store\n</task>',
        '<environment_details>\n# Current Workspace Directory (/home/me/proj) Files\n</environment_details>',
      ),
      use('t1', 'read_file', { path: 'a.md' }),
      result(
        't1',
        'The user denied nothing here.\n<feedback>not typed</feedback> The user provided the following feedback',
      ),
      use('t2', 'write_to_file', { path: 'a.ts' }),
      result(
        't2',
        'The user denied this operation and provided the following feedback:\n<feedback>\nnot this file\n</feedback>',
      ),
      use('t3', 'ask_followup_question', { question: 'Which one?' }),
      result('t3', '<user_message>\nb.ts\n</user_message>'),
      use('t4', 'ask_followup_question', { question: 'Sure?' }),
      result('t4', '<answer>\nyes, b.ts\n</answer>'),
      use('t5', 'apply_diff', { path: 'b.ts' }),
      result(
        't5',
        '{"status":"denied","message":"The user denied this operation","feedback":"smaller steps"}',
      ),
      use('t6', 'attempt_completion', { result: 'Moved.' }),
      result('t6', '<user_message>\nnow the lexer\n</user_message>'),
      user('[ERROR] You did not use a tool in your previous response! Please retry'),
      user(
        '<explicit_instructions type="smol">Condense all</explicit_instructions>\n<task>\n/smol the talk\n</task>',
      ),
      user(
        '[TASK RESUMPTION] This task was interrupted 2 minutes ago.\n\nNew instructions for task continuation:\n<user_message>\ngo on with the tests\n</user_message>',
      ),
    ],
  })
  const reading = read()
  assert.equal(reading.chats[0]!.workspace, '/home/me/proj')
  assert.deepEqual(said(reading), [
    'request: Move the store',
    'request via refusal: not this file',
    'request via answer: b.ts',
    'request via answer: yes, b.ts',
    'request via refusal: smaller steps',
    'request: now the lexer',
    'request via /smol: the talk',
    'request: go on with the tests',
  ])
  assert.equal(reading.chats[0]!.createdAt, undefined, 'an undated chat has no date')
})

test('a task that only its parent names as its child', () => {
  const child = '0197c0de-0000-7000-8000-00000000000b'
  put({
    'ui_messages.json': seen(['say text', 'Write the docs in a sub-task']),
    'history_item.json': { id: ID, ts: AT, childIds: [child] },
  })
  put(
    { 'ui_messages.json': seen(['say text', 'Write the docs']), 'history_item.json': { id: child, ts: AT } },
    child,
  )
  const reading = read()
  assert.equal(reading.chats.find(({ id }) => id === child)!.parentId, ID)
  assert.deepEqual(said(reading, child), ['delegated: Write the docs'])
})

test('a request that names the block behind it is told whole', () => {
  const block = '<environment_details>\n# Open Tabs\n</environment_details>'
  const asked = 'Why is <environment_details> sent with each request?'
  assert.equal(typedText(`<task>\n${asked}\n</task>`), asked)
  assert.equal(typedText(`<task>\n${asked}\n\n${block}\n</task>`), asked)
  assert.equal(typedText(`${asked}\n\n${block}`), asked)
  assert.equal(typedText(block), undefined)
})
