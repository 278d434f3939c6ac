import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { DIALOG, OTHER_DIALOG } from './dialogs.ts'
import { fileInWorkspace, run, startContext } from './recollect.ts'
import { ROWS, referenceOf, rowOf } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

async function pageWith(words: string): Promise<string> {
  return await until(`a page with ${words}`, async () =>
    (await inWindow.webviews()).find((text) => text.includes(words)),
  )
}

suite('the reader', () => {
  suiteSetup(async () => {
    startContext()
    await run('recollect.dialogs.focus')
    await rowOf(DIALOG.title)
  })
  teardown(async () => {
    await run('workbench.action.closeAllEditors')
    await run('notifications.clearAll')
  })

  test('shows all that was said when a row is clicked', async () => {
    await inWindow.clickInWebview(ROWS, { has: DIALOG.title })
    const page = await pageWith(DIALOG.answers[2])
    for (const text of [DIALOG.title, ...DIALOG.requests, ...DIALOG.answers])
      assert.ok(page.includes(text), text)
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    assert.ok(input instanceof vscode.TabInputWebview)
    assert.match(input.viewType, /recollect\.reader/)
  })

  test('shows what looks like a page as text, and loads nothing from anywhere', async () => {
    await run('recollect.openDialog', await referenceOf(OTHER_DIALOG.title))
    const page = await pageWith('A function with the variables')
    assert.ok(page.includes('<script>document.title = 1</script>'), page)
    assert.equal(await inWindow.countInWebviews('img'), 0)
    assert.equal(await inWindow.countInWebviews('script:not([nonce], [id^="_vscode"])'), 0)
    assert.ok((await inWindow.countInWebviews('meta[content*="default-src \'none\'"]')) > 0)
  })

  test('is steered by keys', async () => {
    await run('recollect.openDialog', await referenceOf(DIALOG.title))
    await pageWith(DIALOG.answers[2])
    await inWindow.clickInWebview('h1')
    await inWindow.press('t')
    await until('the tools to unfold', async () => (await inWindow.countInWebviews('details.tool[open]')) > 0)
    await inWindow.press('n')
    await until(
      'a request in focus',
      async () => (await inWindow.countInWebviews('article.request:focus')) > 0,
    )
  })

  test('exports to context.md with its button', async () => {
    await run('recollect.openDialog', await referenceOf(OTHER_DIALOG.title))
    await pageWith('A function with the variables')
    await inWindow.clickInWebview('[data-do="exportToContext"]')
    await until('the entry', () => fileInWorkspace('context.md').includes(OTHER_DIALOG.title))
  })
})
