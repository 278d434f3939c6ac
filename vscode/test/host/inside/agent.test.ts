import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { ask, turnCopilotOn } from './copilot.ts'
import { DIALOG, OTHER_DIALOG } from './dialogs.ts'
import { recollect, run, toolNamed } from './recollect.ts'

suite('a turn of the built-in Copilot agent', () => {
  suiteSetup(async () => {
    await recollect().activate()
    await turnCopilotOn()
  })
  // VS Code writes a dialog down when another one is begun; else that may take minutes.
  suiteTeardown(async () => {
    await run('workbench.action.chat.newChat')
  })

  test('is offered every tool of ours', async () => {
    const [round] = await ask(DIALOG.requests[0], [[{ text: DIALOG.answers[0] }]], { title: DIALOG.title })
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith(toolNamed('')))
    assert.ok(ours.length > 0)
    for (const { name } of ours) assert.ok(round?.tools.includes(name), name)
  })

  test('gets back the second request of the dialog that is going on', async () => {
    const rounds = await ask(
      DIALOG.requests[1],
      [[{ tool: toolNamed('get_request'), input: { index: 2 } }], [{ text: DIALOG.answers[1] }]],
      { goOn: true },
    )
    const answer = JSON.parse(rounds[1]?.results[0] ?? 'null')
    assert.equal(answer.success, true, JSON.stringify(answer))
    assert.equal(answer.request, DIALOG.requests[1])
    assert.equal(answer.index, 2)
    assert.equal(answer.totalRequests, 2)
  })

  test('gets back the first one as well, and the list', async () => {
    const rounds = await ask(
      DIALOG.requests[2],
      [
        [
          { tool: toolNamed('get_first_request'), input: {} },
          { tool: toolNamed('list_requests'), input: {} },
        ],
        [{ text: DIALOG.answers[2] }],
      ],
      { goOn: true },
    )
    const [first, list] = (rounds[1]?.results ?? []).map((text) => JSON.parse(text))
    assert.equal(first?.firstRequest, DIALOG.requests[0])
    assert.equal(first.requestsCount, 3)
    assert.deepEqual(
      list?.requests.map((each: { preview: string }) => each.preview),
      DIALOG.requests,
    )
  })

  test('in another dialog gets what was asked there', async () => {
    const rounds = await ask(
      OTHER_DIALOG.requests[0],
      [[{ tool: toolNamed('get_request'), input: { index: 1 } }], [{ text: OTHER_DIALOG.answers[0] }]],
      { title: OTHER_DIALOG.title },
    )
    const answer = JSON.parse(rounds[1]?.results[0] ?? 'null')
    assert.equal(answer.request, OTHER_DIALOG.requests[0])
    assert.equal(answer.totalRequests, 1)
  })
})
