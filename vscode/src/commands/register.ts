import * as vscode from 'vscode'
import type { OwnNotes } from '../../../src/archive/archive.ts'
import type { Dialogs } from '../api.ts'
import type { Desk } from '../desk.ts'
import { attempt } from './attempt.ts'

/** Every command, each with its code loaded when it is called. */
export function registerCommands(context: vscode.ExtensionContext, desk: Desk, dialogs: Dialogs): void {
  const command = (name: string, run: (...given: unknown[]) => Promise<unknown>) => {
    const attempted = (...given: unknown[]) => attempt(desk, () => run(...given))
    context.subscriptions.push(vscode.commands.registerCommand(`recollect.${name}`, attempted))
  }
  const targets = async (given: unknown[], several = false) => {
    const { chosenChats } = await import('./targets.ts')
    const chosen = chosenChats(desk, dialogs, given, several)
    if (chosen.length > 0 || given[0] !== undefined) return chosen
    const found = await (await import('./search.ts')).pickDialog(desk)
    return found ? [found.reference] : []
  }
  const one = (name: string, act: (reference: string) => Promise<unknown>) =>
    command(name, async (...given) => {
      const [reference] = await targets(given)
      return reference && (await act(reference))
    })
  const many = (name: string, act: (references: string[]) => Promise<unknown>) =>
    command(name, async (...given) => {
      const references = await targets(given, true)
      return references.length > 0 && (await act([...references]))
    })

  command('search', async (text) => (await import('./search.ts')).searchDialogs(desk, text))
  command('syncNow', async () => (await import('./sync.ts')).syncNow(desk, dialogs))
  command('filter', async () => (await import('./filter.ts')).pickFilter(desk, dialogs))
  command('showStatus', async () => (await import('./state.ts')).showStatus(desk))
  command('showProblems', async () => (await import('./state.ts')).showProblems(desk))
  command('openConfiguration', async () => (await import('./state.ts')).openConfiguration(desk))
  command('showLog', async () => desk.log.show())
  command('openWalkthrough', async () => (await import('../ticks.ts')).openWalkthrough(context.extension.id))

  command('openDialog', async (...given) => {
    const [reference] = await targets(given)
    const index = typeof given[1] === 'number' ? given[1] : undefined
    const words = typeof given[2] === 'string' ? given[2] : undefined
    const { openReader } = await import('../reader/panels.ts')
    return reference && (await openReader(desk, reference, { index, words }))
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
  command('forget', async (...given) => {
    const { chosenChats } = await import('./targets.ts')
    const chosen = chosenChats(desk, dialogs, given, true)
    return await (await import('./forget.ts')).forgetChats(desk, dialogs, chosen)
  })
  one('rename', async (chat) => (await import('./own-notes.ts')).renameChat(desk, dialogs, chat))
  const note = (name: string, notes: OwnNotes) =>
    many(name, async (chats) => (await import('./own-notes.ts')).noteAll(desk, dialogs, chats, notes))
  note('pin', { pinned: true })
  note('unpin', { pinned: false })
  note('archive', { archived: true })
  note('unarchive', { archived: false })
  command('otherSide', async () => (await import('./other-side.ts')).showOtherSide(desk))
}
