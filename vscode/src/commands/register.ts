import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Desk } from '../desk.ts'
import { attempt } from './attempt.ts'

/** Every command, each with its code loaded when it is called. */
export function registerCommands(context: vscode.ExtensionContext, desk: Desk, dialogs: Dialogs): void {
  const command = (name: string, run: (...given: unknown[]) => Promise<unknown>) => {
    const attempted = (...given: unknown[]) => attempt(desk, () => run(...given))
    context.subscriptions.push(vscode.commands.registerCommand(`recollect.${name}`, attempted))
  }
  const targets = async (given: unknown[], several = false) =>
    await (await import('./targets.ts')).chosenDialogs(desk, dialogs, given, several)
  const one = (name: string, act: (reference: string) => Promise<unknown>) =>
    command(name, async (...given) => {
      const [reference] = await targets(given)
      return reference && (await act(reference))
    })
  const many = (name: string, act: (references: string[]) => Promise<unknown>) =>
    command(name, async (...given) => {
      const references = await targets(given, true)
      return references.length > 0 && (await act(references))
    })

  command('search', async (text) => (await import('./search.ts')).searchDialogs(desk, text))
  command('syncNow', async () => (await import('./sync.ts')).syncNow(desk, dialogs))
  command('filter', async () => (await import('./filter.ts')).pickFilter(desk, dialogs))
  command('showStatus', async () => (await import('./state.ts')).showStatus(desk))
  command('showProblems', async () => (await import('./state.ts')).showProblems(desk))
  command('openConfiguration', async () => (await import('./state.ts')).openConfiguration(desk))
  command('showLog', async () => desk.log.show())
  command('openWalkthrough', async () => {
    const walkthrough = `${context.extension.id}#start`
    return await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false)
  })

  command('openDialog', async (...given) => {
    const [reference] = await targets(given)
    const index = typeof given[1] === 'number' ? given[1] : undefined
    return reference && (await (await import('../reader/panels.ts')).openReader(desk, reference, index))
  })
  one('openSource', async (reference) => (await import('./source.ts')).openSource(desk, reference))
  one('copyRequest', async (reference) => (await import('./copy.ts')).copyRequest(desk, reference))
  one('copyResumeCommand', async (reference) =>
    (await import('./copy.ts')).copyResumeCommand(desk, reference),
  )
  one('exportForImport', async (reference) => (await import('./recover.ts')).exportForImport(desk, reference))
  many('exportToContext', async (chats) => (await import('./export.ts')).exportToContext(desk, chats))
  many('exportMarkdown', async (chats) => (await import('./export.ts')).exportMarkdown(desk, chats))
  many('gather', async (chats) => (await import('./gather.ts')).gatherInDocument(desk, chats))
  many('forget', async (chats) => (await import('./forget.ts')).forgetDialogs(desk, dialogs, chats))
}
