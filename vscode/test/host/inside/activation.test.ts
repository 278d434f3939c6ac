import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { recollect, run, testSince133 } from './recollect.ts'
import { INPUT, PICKS } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

/** From VS Code's own report on how it started. */
async function activationTimes(): Promise<string[]> {
  await run('perfview.show')
  const row = /\| recollect\.recollect-vscode +\| \w+ +\| (\d+) +\| (\d+) +\| (\d+)/
  const report = await until('the report', () =>
    vscode.workspace.textDocuments
      .find(({ uri }) => uri.scheme === 'perf')
      ?.getText()
      .match(row),
  )
  await run('workbench.action.closeActiveEditor')
  return report.slice(1)
}

suite('activation', () => {
  test('the packed extension activates', async () => {
    await recollect().activate()
    assert.ok(recollect().isActive)
    // A server is a remote machine to its browser: there we run beside the workspace.
    assert.equal(recollect().extensionKind, vscode.ExtensionKind.Workspace)
    const [load, call, finish] = await activationTimes()
    await inWindow.note(
      `activation as VS Code measured it: code ${load} ms, activate() ${call} ms, end ${finish} ms`,
    )
  })

  test('stands in the status bar', async () => {
    const labels = await until('our status bar item', async () => {
      const found = await inWindow.attributes('.statusbar-item[id^="recollect"]', 'aria-label')
      return found.length > 0 ? found : undefined
    })
    assert.match(labels[0] ?? '', /Recollect/)
  })

  test('tells the state of the archive when its item is clicked', async () => {
    await inWindow.click('.statusbar-item[id^="recollect"]')
    const told = await until('the state', async () => {
      const all = (await inWindow.texts(PICKS)).join('\n')
      return /\d+ chats?, \d+ messages?/.test(all) && all
    })
    assert.match(told, /Sync Now/)
    assert.match(told, /You see the chats on 127\.0\.0\.1/, 'a server is the other side of a browser')
    await inWindow.press('Escape', { at: INPUT })
  })

  testSince133('has a walkthrough for the first run', async () => {
    await run('recollect.openWalkthrough')
    const { title, steps } = recollect().packageJSON.contributes.walkthroughs[0]
    const titles: string[] = [title, ...steps.map((step: { title: string }) => step.title)]
    await until('the walkthrough with its steps', async () => {
      const shown = (await inWindow.texts('.gettingStartedContainer')).join('\n')
      return titles.every((each) => shown.includes(each))
    })
    const ticked = async () =>
      (await inWindow.attributes('.gettingStartedContainer .complete', 'class')).length
    await run('recollect.dialogs.focus')
    await until('what was done to be ticked', async () => (await ticked()) >= 2)
    await run('workbench.action.closeAllEditors')
    await run('recollect.openWalkthrough')
    await until('it to be ticked again', async () => (await ticked()) >= 2)
    await run('workbench.action.closeAllEditors')
  })

  test('every command that it declares is there', async () => {
    const declared: { command: string }[] = recollect().packageJSON.contributes.commands
    const there = new Set(await vscode.commands.getCommands(true))
    assert.ok(declared.length > 0)
    for (const { command } of declared) assert.ok(there.has(command), command)
  })
})
