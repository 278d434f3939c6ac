import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { capabilities } from '../../../../src/capabilities/index.ts'
import { EMPTY_CHAT, ONLY_ANSWERS } from './planted.ts'
import { call, fileInWorkspace, recollect, testSince133, toolNamed } from './recollect.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

/** Chats of the sample. */
const DEADLOCK = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const REFUNDS = '11d22106-a816-4cce-886d-1987be44d879'

const READING: [string, object, (answer: Record<string, unknown>) => unknown][] = [
  ['get_first_request', { sessionId: DEADLOCK }, (answer) => answer.firstRequest],
  ['get_request', { sessionId: DEADLOCK, index: 2 }, (answer) => answer.request],
  ['list_requests', { sessionId: DEADLOCK }, (answer) => answer.totalRequests === 3],
  [
    'search_conversations',
    { query: 'deadlock' },
    (answer) => DEADLOCK.startsWith(String(answer.topChatIds).split(',')[0]!),
  ],
  ['gather_chats', { chatIds: [DEADLOCK, REFUNDS] }, (answer) => answer.narrative],
  ['list_chats', { source: 'claude-code' }, (answer) => JSON.stringify(answer).includes(DEADLOCK)],
  ['resolve_ids', { chatIdPrefix: 'b6fb' }, (answer) => JSON.stringify(answer).includes(DEADLOCK)],
  ['collect_evidence', { chatIds: [DEADLOCK] }, (answer) => JSON.stringify(answer).length > 100],
  ['usage_metrics', {}, (answer) => JSON.stringify(answer).includes('messages')],
  [
    'export_chats',
    { chatIds: [DEADLOCK], format: 'markdown' },
    (answer) => JSON.stringify(answer).includes('#'),
  ],
  [
    'get_resume_command',
    { sessionId: DEADLOCK },
    (answer) => answer.command === `claude --resume ${DEADLOCK}`,
  ],
]

/** From the contract: what a model reads when it asks for what is not there. */
const REFUSED: [string, object | null, string][] = [
  ['get_first_request', {}, 'No active dialog found'],
  ['get_first_request', { sessionId: 'current' }, 'No active dialog found'],
  ['get_request', { index: 1 }, 'No active dialog found'],
  ['list_requests', {}, 'No active dialog found'],
  ['get_first_request', { sessionId: 'nowhere' }, 'Session not found: nowhere'],
  ['get_request', { sessionId: 'nowhere', index: 1 }, 'Session not found: nowhere'],
  ['list_requests', { sessionId: 'nowhere' }, 'Session not found: nowhere'],
  ['get_first_request', { sessionId: ONLY_ANSWERS }, 'First request not available'],
  ['get_request', { sessionId: DEADLOCK }, 'Index parameter is required'],
  ['get_request', { sessionId: DEADLOCK, index: 0 }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: -1 }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: 1.5 }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: 4 }, 'Index 4 exceeds total requests (3)'],
  ['get_first_request', { sessionId: EMPTY_CHAT }, 'Chat data not available for session'],
  ['get_request', { sessionId: EMPTY_CHAT, index: 1 }, 'Chat data not available for session'],
]

/** What the schema forbids: VS Code passes it on, so the tool itself has to refuse it. */
const MALFORMED: [string, unknown, string][] = [
  ['get_request', { sessionId: DEADLOCK, index: 'two' }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: [1] }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: null }, 'Index parameter is required'],
  ['get_first_request', { sessionId: 42 }, 'Session not found: 42'],
]

suite('language model tools', () => {
  suiteSetup(async () => {
    await recollect().activate()
    await until('the sample to be synced', async () => {
      const { success } = await call('get_first_request', { sessionId: DEADLOCK })
      return success
    })
  })

  test('every capability is a tool that tells a model when to use it', () => {
    for (const { name } of capabilities) {
      const tool = vscode.lm.tools.find((each) => each.name === toolNamed(name))
      assert.ok(tool, name)
      for (const section of ['Use this tool when', 'Parameters', 'Returns', 'Example usage scenarios'])
        assert.ok(tool.description.includes(`**${section}:**`), `${name}: ${section}`)
      assert.equal(Reflect.get(tool.inputSchema ?? {}, 'type'), 'object', name)
    }
  })

  for (const [name, input, isRight] of READING) {
    test(`${name} answers`, async () => {
      const answer = await call(name, input)
      assert.ok(isRight(answer), JSON.stringify(answer).slice(0, 500))
    })
  }

  test('each refusal has the text of the contract', async () => {
    for (const [name, input, error] of REFUSED)
      assert.deepEqual(await call(name, input), { success: false, error }, `${name} ${JSON.stringify(input)}`)
  })

  test('what the schema forbids is refused by the tool', async () => {
    for (const [name, input, error] of MALFORMED)
      assert.deepEqual(await call(name, input), { success: false, error }, `${name} ${JSON.stringify(input)}`)
  })

  test('a call with nonsense is an answer, never a crash', async () => {
    for (const input of [{ chatIds: { a: 1 } }, { chatIds: [] }, {}, null, [], 'text']) {
      const answer = await call('gather_chats', input)
      assert.equal(answer.isError, true, JSON.stringify(input))
      assert.equal(typeof answer.message, 'string')
    }
  })

  test('a cancelled call ends', async () => {
    const source = new vscode.CancellationTokenSource()
    const answer = call('search_conversations', { query: 'deadlock' }, source.token)
    source.cancel()
    await assert.rejects(answer, (error: Error) => error.name === 'Canceled')
  })

  testSince133('a tool that writes asks first, and then writes', async () => {
    const answer = call('init_context', { projectName: 'Todo' })
    await until('the question', async () => (await inWindow.texts('.monaco-dialog-box')).length)
    assert.equal(fileInWorkspace('context.md'), '')
    await inWindow.click('.monaco-dialog-box .monaco-button', { has: 'Yes' })
    assert.equal((await answer).success, true)
    assert.match(fileInWorkspace('context.md'), /Todo/)
  })

  testSince133('a tool that writes and is not allowed to leaves everything as it was', async () => {
    const before = fileInWorkspace('context.md')
    const answer = call('append_context', { content: 'Not wanted.' })
    await until('the question', async () => (await inWindow.texts('.monaco-dialog-box')).length)
    await inWindow.click('.monaco-dialog-box .monaco-button', { has: 'Cancel' })
    await assert.rejects(answer)
    assert.equal(fileInWorkspace('context.md'), before)
  })
})
