import { turnCopilotOn } from './copilot.ts'
import { run } from './recollect.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

const TITLE = 'Deadlock between checkout and the stock import'
const LINKS = '.interactive-response .rendered-markdown a'

suite('@recollect', () => {
  suiteSetup(turnCopilotOn)

  test('answers from history, and its links open the dialogs', async () => {
    await run('workbench.action.chat.newChat')
    await run('workbench.action.chat.open', {
      query: '@recollect what did we find out about the deadlock between checkout and stock import?',
      blockOnResponse: true,
    })
    await until('the link', async () => (await inWindow.texts(LINKS)).some((text) => text.includes(TITLE)))
    await inWindow.click(LINKS, { has: TITLE })
    await until('the reader', async () =>
      (await inWindow.webviews()).some((text) => text.includes(TITLE) && text.includes('ShareLock')),
    )
  })
})
