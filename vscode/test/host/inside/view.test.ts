import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { DIALOG, OTHER_DIALOG } from './dialogs.ts'
import { type Api, call, fileInWorkspace, recollect, run, startContext } from './recollect.ts'
import { referenceOf, rowOf, rows } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

const PICKS = '.quick-input-widget:visible .monaco-list-row'

suite('the dialogs view', () => {
  suiteSetup(async () => {
    startContext()
    await run('recollect.dialogs.focus')
  })
  teardown(async () => {
    await run('notifications.clearAll')
  })

  test('shows the dialogs that VS Code itself wrote, with their state', async () => {
    const row = await rowOf(DIALOG.title)
    assert.match(row, /Done/)
    assert.match(row, /3 requests/)
    assert.match(await rowOf(OTHER_DIALOG.title), /1 request\b/)
  })

  test('gives the same to other extensions', async () => {
    const { dialogs } = recollect().exports as Api
    const [here] = (await dialogs.getChildren()) ?? []
    const titles = ((await dialogs.getChildren(here)) ?? []).map((node) => dialogs.getTreeItem(node))
    assert.deepEqual(
      (await Promise.all(titles)).map(({ label }) => label).sort(),
      [DIALOG.title, OTHER_DIALOG.title].sort(),
    )
  })

  test('has the other workspaces and the other assistants', async () => {
    await until('the groups', async () => {
      const all = (await rows()).join('\n')
      return all.includes('All Workspaces') && all.includes('Other Assistants')
    })
  })

  test('finds a dialog while one types', async () => {
    void run('recollect.search')
    await until('the search', async () => (await inWindow.texts('.quick-input-widget')).join('') !== '')
    await inWindow.type('quillonberry')
    await until('the dialog and the passage', async () =>
      (await inWindow.texts(PICKS)).find((row) => row.includes(DIALOG.title) && row.includes('quillonberry')),
    )
    await inWindow.press('Enter')
    await until('the search to close', async () => (await inWindow.texts(PICKS)).length === 0)
  })

  test('narrows to what is asked for, and back', async () => {
    const { dialogs } = recollect().exports as Api
    await dialogs.narrow({ title: 'closures' })
    await until('only one', async () => !(await rows()).some((row) => row.includes(DIALOG.title)))
    assert.ok((await rows()).some((row) => row.includes(OTHER_DIALOG.title)))
    await run('recollect.clearFilter')
    await rowOf(DIALOG.title)
  })

  test('hands a dialog over through context.md', async () => {
    void run('recollect.exportToContext', await referenceOf(DIALOG.title))
    const written = await until('the entry', () => {
      const text = fileInWorkspace('context.md')
      return text.includes(DIALOG.title) && text
    })
    assert.ok(written.includes(DIALOG.requests[1]))
  })

  test('copies a request', async () => {
    void run('recollect.copyRequest', await referenceOf(DIALOG.title))
    await until('the requests', async () => (await inWindow.texts(PICKS)).length === DIALOG.requests.length)
    await inWindow.press('ArrowDown')
    await inWindow.press('Enter')
    await until('the clipboard', async () => (await vscode.env.clipboard.readText()) === DIALOG.requests[1])
  })

  test('copies the command that goes on with a dialog', async () => {
    const id = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
    await run('recollect.copyResumeCommand', `claude-code:${id}`)
    assert.equal(await vscode.env.clipboard.readText(), `claude --resume ${id}`)
  })

  test('gathers dialogs in one document', async () => {
    await run('recollect.gather', [await referenceOf(DIALOG.title), await referenceOf(OTHER_DIALOG.title)])
    const text = vscode.window.activeTextEditor?.document.getText() ?? ''
    assert.ok(text.includes(DIALOG.requests[0]) && text.includes(OTHER_DIALOG.requests[0]), text)
    await run('workbench.action.revertAndCloseActiveEditor')
  })

  test('opens the file that VS Code wrote', async () => {
    await run('recollect.openSource', await referenceOf(DIALOG.title))
    assert.match(vscode.window.activeTextEditor?.document.fileName ?? '', /chatSessions.*\.jsonl$/)
    await run('workbench.action.closeActiveEditor')
  })

  test('forgets a dialog for good, but only when told so', async () => {
    const reference = await referenceOf(OTHER_DIALOG.title)
    const asked = async () => (await inWindow.texts('.monaco-dialog-box')).join('\n')
    let forgetting = run('recollect.forget', reference)
    assert.match(await until('the question', asked), new RegExp(OTHER_DIALOG.title))
    await inWindow.press('Escape')
    await forgetting
    await rowOf(OTHER_DIALOG.title)
    forgetting = run('recollect.forget', reference)
    await until('the question', asked)
    await inWindow.click('.monaco-dialog-box .monaco-button', { has: 'Forget' })
    await forgetting
    await until('it to be gone', async () => !(await rows()).some((row) => row.includes(OTHER_DIALOG.title)))
    const answer = await call('get_first_request', { sessionId: reference })
    assert.match(String(answer.error), /^Session not found/)
  })
})
