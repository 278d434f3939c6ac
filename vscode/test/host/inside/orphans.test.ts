import assert from 'node:assert/strict'
import fs from 'node:fs'
import { MOVED_CHAT } from './planted.ts'
import { fileInWorkspace, recollect, run, workspaceFolder } from './recollect.ts'
import { GROUPS, groups, INPUT, rows } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

suite('dialogs of a folder that was moved', () => {
  suiteSetup(async () => {
    await recollect().activate()
    await run('recollect.dialogs.focus')
  })

  test('are shown', async () => {
    const isShown = async (words: string) =>
      [...(await groups()), ...(await rows())].some((row) => row.includes(words))
    await until('the group', () => isShown('Moved Folders'))
    await inWindow.clickInWebview(GROUPS, { has: 'Moved Folders' })
    await until('the dialog', () => isShown(MOVED_CHAT.title))
  })

  test('come back through VS Code’s own Import Chat', async () => {
    void run('recollect.exportForImport', `vscode:${MOVED_CHAT.id}`)
    await until('the question', async () => (await inWindow.texts(INPUT)).length)
    await until('the place to save to', async () => (await inWindow.valueOf(INPUT)).endsWith('.json'))
    await inWindow.press('Enter', { at: INPUT })
    const file = await until('the file', () => {
      const [name] = fs.readdirSync(workspaceFolder()).filter((each) => each.endsWith('.json'))
      return name
    })
    const session = JSON.parse(fileInWorkspace(file))
    assert.equal(session.requests[0].message.text, MOVED_CHAT.request)
    // Toasts are not shown to the driver of a smoke test.
    await run('notifications.showList')
    await inWindow.click('.notifications-center .monaco-button', { has: 'Import Now' })
    await until('it in the chat', async () =>
      (await inWindow.texts('.interactive-request')).some((text) => text.includes(MOVED_CHAT.request)),
    )
  })
})
