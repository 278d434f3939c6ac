import path from 'node:path'
import * as vscode from 'vscode'
import { ask, turnCopilotOn } from './copilot.ts'
import { DIALOG } from './dialogs.ts'
import { type Api, recollect, run, toolNamed, workspaceFolder } from './recollect.ts'
import { rowOf, rows } from './rows.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

/** Of the sample. */
const DEADLOCK = 'claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const PICKS = '.quick-input-widget:visible .monaco-list-row'

const THEMES = { light: 'Default Light Modern', dark: 'Default Dark Modern' }

/** Not tests: takes the pictures of the documentation (`--pictures`). */
suite('pictures', () => {
  suiteSetup(async () => {
    await recollect().activate()
    await run('workbench.action.closeAuxiliaryBar')
    await run('recollect.dialogs.focus')
    const { secretary } = recollect().exports as Api
    const noter = (await secretary()).noter({ kind: 'owner' })
    await until('chats', async () => (await rows()).length > 5)
    await noter.note(DEADLOCK, { pinned: true })
    await noter.saveSearch('Locks in the shop', { intent_query: 'deadlock', workspace: 'shop' })
    await inWindow.widen(320)
  })

  // Before Copilot is turned on, after which VS Code shows walkthroughs only when it is reloaded.
  inEachTheme('walkthrough', async () => {
    await run('workbench.action.closeSidebar')
    await run('recollect.openWalkthrough')
    const page = async () => (await inWindow.texts('.gettingStartedContainer')).join('')
    await until('it', async () => (await page()).includes('Let agents recall'))
  })

  inEachTheme('dialogs', async () => {
    await run('workbench.action.closeAllEditors')
    await run('recollect.dialogs.focus')
    await inWindow.widen(320)
    await run('recollect.openDialog', DEADLOCK)
    await until('the reader', async () =>
      (await inWindow.webviews()).some((text) => text.includes('ShareLock')),
    )
  })

  inEachTheme(
    'narrow',
    async () => {
      await inWindow.widen(180)
    },
    { of: '.part.sidebar' },
  )

  inEachTheme(
    'list',
    async () => {
      await inWindow.widen(320)
    },
    { of: '.part.sidebar', step: ['view', { of: '.part.sidebar', width: 320, height: 520 }] },
  )

  inEachTheme(
    'found',
    async () => {
      const { dialogs } = recollect().exports as Api
      await dialogs.search('deadlock')
      await until('results', async () => (await inWindow.countInWebviews('.passage mark')) > 0)
      await inWindow.clickInWebview('.chat', { has: 'Deadlock' })
      await until('marks', async () =>
        (await inWindow.attributesInWebviews('body', 'data-marked')).some((marked) => Number(marked) > 0),
      )
    },
    { step: ['search', { of: '.part.sidebar', width: 640, height: 342 }] },
  )

  inEachTheme('search', async () => {
    const { dialogs } = recollect().exports as Api
    await dialogs.search('')
    await run('workbench.action.closeAllEditors')
    void run('recollect.search', 'deadlock')
    await until('results', async () => (await inWindow.texts(PICKS)).join('').includes('deadlock detected'))
  })

  inEachTheme(
    'status',
    async () => {
      void run('recollect.showStatus')
      await until('the state', async () => (await inWindow.texts(PICKS)).join('').includes('messages'))
    },
    { step: ['sync', { of: '.quick-input-widget', width: 600, height: 360 }] },
  )

  test('an agent recalls', async () => {
    await turnCopilotOn()
    await ask(DIALOG.requests[0], [[{ text: DIALOG.answers[0] }]], { title: DIALOG.title })
    const recalled = 'You asked for a function that toggles a task.'
    const calls = [
      { tool: toolNamed('list_requests'), input: {} },
      { tool: toolNamed('get_request'), input: { index: 1 } },
    ]
    await ask(DIALOG.requests[2], [calls, [{ text: recalled }]], { goOn: true })
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspaceFolder(), 'todo.ts')))
    await until('the end of the turn', async () => (await rowOf(DIALOG.title)).includes('Done'), 90_000)
    await inWindow.click('text=/^Completed \\d+ steps/')
    await inWindow.click('text=/^Finished with \\d+ steps/')
  }).timeout(200_000)

  inEachTheme(
    'agent',
    async () => {
      await until('the calls', async () =>
        (await inWindow.texts('.interactive-response')).some((text) => /Recalling\s+request/.test(text)),
      )
    },
    { step: ['agent', { of: '.part.auxiliarybar', width: 380, height: 600 }] },
  )

  // VS Code's own list of sessions, to compare with.
  test('sessions of VS Code itself', async () => {
    for (const title of ['Closures explained', 'Names of the months'])
      await ask(`About ${title}`, [[{ text: 'Done.' }]], { title })
    await run('workbench.action.closeAllEditors')
    await run('workbench.action.closeSidebar')
    await run('workbench.action.maximizeAuxiliaryBar')
    await run('agentSessions.showAgentSessionsSidebar')
    await until('the list', async () =>
      (await inWindow.texts('.part.auxiliarybar')).some((text) => text.includes('Closures explained')),
    )
  }).timeout(120_000)

  inEachTheme('own-sessions', async () => {})
})

interface Shown {
  /** What of the window is shown; all of it where nothing is said. */
  of?: string
  /** The step of the walkthrough that shows a part of it, in the light theme. */
  step?: Parameters<typeof inWindow.stepPicture>
}

function inEachTheme(name: string, show: () => Promise<void>, { of, step }: Shown = {}): void {
  for (const [kind, theme] of Object.entries(THEMES)) {
    test(`${name}, ${kind}`, async () => {
      const workbench = vscode.workspace.getConfiguration('workbench')
      await workbench.update('colorTheme', theme, vscode.ConfigurationTarget.Global)
      const isDark = () => vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.Dark
      await until(theme, () => isDark() === (kind === 'dark'))
      await show()
      await inWindow.picture(`${name}-${kind}`, of ? { of } : {})
      if (step && kind === 'light') await inWindow.stepPicture(...step)
      await inWindow.press('Escape')
    })
  }
}
