import * as vscode from 'vscode'
import { playScript, type Round, type Say } from './model.ts'
import { until } from './until.ts'

const run = vscode.commands.executeCommand

/**
 * The built-in Copilot Chat is off until chat is set up by signing in. Managing models turns it on as
 * well, without an account.
 */
export async function turnCopilotOn(): Promise<void> {
  await until(
    'the scripted model',
    async () => (await vscode.lm.selectChatModels({ vendor: 'scripted' })).length,
  )
  const copilot = () => vscode.extensions.getExtension('GitHub.copilot-chat')
  if (!copilot()) void run('workbench.action.chat.manage')
  await until('Copilot Chat', () => copilot()?.isActive)
  await run('workbench.action.closeAllEditors')
}

/** Asks in a new dialog, or goes on with the one that is open; what the model saw in each round. */
export async function ask(
  request: string,
  rounds: Say[][],
  { title = 'Untitled', goOn = false } = {},
): Promise<Round[]> {
  const seen = playScript(title, rounds)
  if (!goOn) await run('workbench.action.chat.newChat')
  await run('workbench.action.chat.open', { query: request, mode: 'agent', blockOnResponse: true })
  return seen
}
