import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { DIALOG, OTHER_DIALOG } from './dialogs.ts'
import { type Api, call, fileInWorkspace, recollect, run, startContext } from './recollect.ts'
import { GROUPS, groups, INPUT, PICKS, ROWS, referenceOf, rowOf, rows } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

suite('the dialogs view', () => {
  suiteSetup(async () => {
    startContext()
    await run('recollect.dialogs.focus')
  })
  // One that fails must not take the others with it.
  teardown(async () => {
    await run('workbench.action.closeQuickOpen')
    await run('notifications.clearAll')
    const { dialogs } = recollect().exports as Api
    const { found, only } = await dialogs.content()
    if (found) await dialogs.search('')
    if (only) await dialogs.narrow({})
  })

  test('shows the dialogs that VS Code itself wrote, with their state', async () => {
    const row = await rowOf(DIALOG.title)
    assert.match(row, /Done/)
    assert.match(row, /3 requests/)
    assert.match(await rowOf(OTHER_DIALOG.title), /1 request\b/)
  })

  test('says whose chats they are', async () => {
    // A server is a remote machine to its browser.
    await until('the machine in the title', async () =>
      (await inWindow.texts('.part.sidebar .title-label')).some((title) =>
        /Chats on 127\.0\.0\.1/i.test(title),
      ),
    )
  })

  test('gives the same to other extensions', async () => {
    const { dialogs } = recollect().exports as Api
    const { groups: shown } = await dialogs.content()
    const titles = shown.flatMap((group) => group.rows.map(({ title }) => title))
    for (const title of [DIALOG.title, OTHER_DIALOG.title]) assert.ok(titles.includes(title), title)
  })

  test('groups by date, by workspace and by assistant', async () => {
    const has = async (name: string) => (await groups()).some((group) => group.startsWith(`${name}, `))
    // Shortly after midnight they are all of yesterday.
    await until('days', async () => (await has('Today')) || (await has('Yesterday')))
    await run('recollect.groupByWorkspace')
    await until('folders', async () => (await has('This Workspace')) && (await has('courier')))
    await run('recollect.groupByAssistant')
    await until('assistants', () => has('Claude Code'))
    await run('recollect.groupByDate')
    await rowOf(DIALOG.title)
  })

  test('pins, renames and puts away, by the menu of a row', async () => {
    await inWindow.clickInWebview(ROWS, { has: DIALOG.title, button: 'right' })
    const items = async () => await inWindow.texts('.context-view .action-label')
    const menu = await until('the menu', async () => (await items()).length > 0 && (await items()))
    for (const item of ['Pin', 'Rename…', 'Archive', 'Export to context.md', 'Forget…'])
      assert.ok(menu.includes(item), `${item} among ${menu.join(', ')}`)
    const isPinned = async () => (await groups()).some((group) => group.startsWith('Pinned, 1 chat'))
    await until('the group of pinned chats', async () => {
      if (await isPinned()) return true
      // VS Code ignores a click that comes too soon after its menu opened.
      if ((await items()).includes('Pin')) await inWindow.click('.context-view .action-label', { has: 'Pin' })
      return false
    })
    await run('recollect.unpin', await referenceOf(DIALOG.title))
    await until('it to go', async () => !(await groups()).some((group) => group.startsWith('Pinned')))
  })

  test('searches in the view, keeps what was found, and marks it in the reader', async () => {
    const { dialogs } = recollect().exports as Api
    await dialogs.search('quillonberry')
    const found = async () => (await inWindow.countInWebviews('.passage mark')) > 0
    await until('the passage', found)
    await run('workbench.view.explorer')
    await run('recollect.dialogs.focus')
    await until('it again', found)
    await inWindow.clickInWebview(ROWS, { has: DIALOG.title })
    await until('the words marked', async () =>
      (await inWindow.attributesInWebviews('body', 'data-marked')).some((marked) => Number(marked) > 0),
    )
    await dialogs.search('')
    await run('workbench.action.closeAllEditors')
    await rowOf(DIALOG.title)
  })

  test('keeps a search by a name, runs it again, and removes it', async () => {
    const { dialogs } = recollect().exports as Api
    await dialogs.search('quillonberry')
    await until('the passage', async () => (await inWindow.countInWebviews('.passage mark')) > 0)
    void run('recollect.saveSearch')
    await until('the question', async () =>
      (await inWindow.texts('.quick-input-widget:visible')).join('').includes('A name for this search'),
    )
    // VS Code shows the question before it fills in what is proposed: what was typed by then would be gone.
    await until('the proposal', async () => (await inWindow.valueOf(INPUT)) === 'quillonberry')
    // Whatever takes the cursor away meanwhile, what is typed is not lost.
    await run('recollect.dialogs.focus')
    await inWindow.type('Berries', { at: INPUT })
    assert.equal(await inWindow.valueOf(INPUT), 'Berries')
    await inWindow.press('Enter', { at: INPUT })
    await until('it to be kept', async () => (await dialogs.content()).found?.saved === 'Berries')
    await dialogs.search('')
    await until('its row', async () => (await inWindow.countInWebviews('.saved')) === 1)
    await inWindow.clickInWebview('.saved', { has: 'Berries' })
    await until('what it finds', async () => (await inWindow.countInWebviews('.passage mark')) > 0)
    await dialogs.search('')
    await run('recollect.removeSearch', 'Berries')
    await until('no row', async () => (await inWindow.countInWebviews('.saved')) === 0)
    await rowOf(DIALOG.title)
  })

  test('Delete on a group does nothing, and a command is about the chat that is read', async () => {
    const day = (await groups()).some((group) => group.startsWith('Today, ')) ? 'Today' : 'Yesterday'
    // A second click before the first is drawn would leave it closed.
    const click = async (isOpen: boolean) => {
      await inWindow.clickInWebview(GROUPS, { has: day })
      const group = `${GROUPS}[aria-label^="${day}"]`
      await until(`it to be ${isOpen ? 'open' : 'closed'}`, async () =>
        (await inWindow.attributesInWebviews(group, 'aria-expanded')).includes(String(isOpen)),
      )
    }
    await click(false)
    await inWindow.press('Delete')
    await click(true)
    await rowOf(DIALOG.title)
    assert.deepEqual(await inWindow.texts('.monaco-dialog-box'), [])
    assert.deepEqual(await inWindow.texts(PICKS), [])
    const id = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
    await inWindow.clickInWebview(ROWS, { has: DIALOG.title })
    await run('recollect.openDialog', `claude-code:${id}`)
    await run('recollect.copyResumeCommand')
    assert.equal(await vscode.env.clipboard.readText(), `claude --resume ${id}`)
    await run('workbench.action.closeAllEditors')
  })

  test('finds a dialog while one types', async () => {
    void run('recollect.search')
    await until('the search', async () => (await inWindow.texts('.quick-input-widget')).join('') !== '')
    await inWindow.type('quillonberry', { at: INPUT })
    await until('the dialog and the passage', async () =>
      (await inWindow.texts(PICKS)).find((row) => row.includes(DIALOG.title) && row.includes('quillonberry')),
    )
    await inWindow.press('Enter', { at: INPUT })
    await until('the search to close', async () => (await inWindow.texts(PICKS)).length === 0)
  })

  test('narrows to what is asked for, and back', async () => {
    const { dialogs } = recollect().exports as Api
    await dialogs.narrow({ title: 'closures' })
    await until('only one', async () => {
      const shown = await rows()
      return shown.length === 1 && shown[0]?.includes(OTHER_DIALOG.title)
    })
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
    await inWindow.press('ArrowDown', { at: INPUT })
    await inWindow.press('Enter', { at: INPUT })
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
    const document = vscode.window.activeTextEditor?.document
    // Until VS Code has written all of it, what Copilot wrote meanwhile tells more.
    assert.match(document?.fileName ?? '', /(chatSessions|transcripts).*\.jsonl$/)
    assert.ok(document?.getText().includes(DIALOG.requests[1]), document?.fileName)
    await run('workbench.action.closeActiveEditor')
  })

  test('forgets a dialog for good, but only when told so', async () => {
    const reference = await referenceOf(OTHER_DIALOG.title)
    const asked = async () => (await inWindow.texts('.monaco-dialog-box')).join('\n')
    let forgetting = run('recollect.forget', reference)
    assert.match(await until('the question', asked), new RegExp(OTHER_DIALOG.title))
    await inWindow.click('.monaco-dialog-box .monaco-button', { has: 'Cancel' })
    await forgetting
    await rowOf(OTHER_DIALOG.title)
    await run('recollect.openDialog', reference)
    const readers = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => label === OTHER_DIALOG.title)
    await until('its reader', () => readers().length === 1)
    forgetting = run('recollect.forget')
    await until('the question', asked)
    await inWindow.click('.monaco-dialog-box .monaco-button', { has: 'Forget' })
    await forgetting
    await until('it to be gone', async () => !(await rows()).some((row) => row.includes(OTHER_DIALOG.title)))
    await until('its reader to close', () => readers().length === 0)
    const answer = await call('get_first_request', { sessionId: reference })
    assert.match(String(answer.error), /^Session not found/)
  })
})
