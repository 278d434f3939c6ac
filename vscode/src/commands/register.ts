import * as vscode from 'vscode'
import type { OwnNotes } from '../../../src/archive/archive.ts'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { attempt } from './attempt.ts'

/** Every command, each with its code loaded when it is called. */
export function registerCommands(context: vscode.ExtensionContext, backend: Backend, dialogs: Dialogs): void {
  const command = (name: string, run: (...given: unknown[]) => Promise<unknown>) => {
    const attempted = (...given: unknown[]) => attempt(backend, () => run(...given))
    context.subscriptions.push(vscode.commands.registerCommand(`recollect.${name}`, attempted))
  }
  const targets = async (given: unknown[], several = false) => {
    const { chosenChats } = await import('./targets.ts')
    const chosen = chosenChats(backend, dialogs, given, several)
    if (chosen.length > 0 || given[0] !== undefined) return chosen
    const found = await (await import('./search.ts')).pickDialog(backend)
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

  command('search', async (text) => (await import('./search.ts')).searchDialogs(backend, text))
  command('syncNow', async () => (await import('./sync.ts')).syncNow(backend, dialogs))
  command('filter', async () => (await import('./filter.ts')).pickFilter(backend, dialogs))
  command('showStatus', async () => (await import('./state.ts')).showStatus(backend))
  command('showProblems', async () => (await import('./state.ts')).showProblems(backend))
  command('openConfiguration', async () => (await import('./state.ts')).openConfiguration(backend))
  command('showLog', async () => backend.log.show())
  command('openWalkthrough', async () => (await import('../ticks.ts')).openWalkthrough(context.extension.id))

  command('openDialog', async (...given) => {
    const [reference] = await targets(given)
    const index = typeof given[1] === 'number' ? given[1] : undefined
    const words = typeof given[2] === 'string' ? given[2] : undefined
    const { openReader } = await import('../reader/panels.ts')
    return reference && (await openReader(backend, reference, { index, words }))
  })
  one('openSource', async (reference) => (await import('./source.ts')).openSource(backend, reference))
  one('copyRequest', async (reference) => (await import('./copy.ts')).copyRequest(backend, reference))
  one('copyResumeCommand', async (reference) =>
    (await import('./copy.ts')).copyResumeCommand(backend, reference),
  )
  one('exportForImport', async (reference) =>
    (await import('./recover.ts')).exportForImport(backend, reference),
  )
  many('exportToContext', async (chats) => (await import('./export.ts')).exportToContext(backend, chats))
  many('exportMarkdown', async (chats) => (await import('./export.ts')).exportMarkdown(backend, chats))
  many('gather', async (chats) => (await import('./gather.ts')).gatherInDocument(backend, chats))
  command('forget', async (...given) => {
    const { chosenChats } = await import('./targets.ts')
    const chosen = chosenChats(backend, dialogs, given, true)
    return await (await import('./forget.ts')).forgetChats(backend, dialogs, chosen)
  })
  one('rename', async (chat) => (await import('./own-notes.ts')).renameChat(backend, dialogs, chat))
  const note = (name: string, notes: OwnNotes) =>
    many(name, async (chats) => (await import('./own-notes.ts')).noteAll(backend, dialogs, chats, notes))
  note('pin', { pinned: true })
  note('unpin', { pinned: false })
  note('archive', { archived: true })
  note('unarchive', { archived: false })
  command('saveSearch', async () => (await import('./saved.ts')).saveSearch(backend, dialogs))
  command('savedSearches', async () => (await import('./saved.ts')).pickSavedSearch(backend, dialogs))
  command('removeSearch', async (name) => (await import('./saved.ts')).removeSearch(backend, dialogs, name))
  command('otherSide', async () => (await import('./other-side.ts')).showOtherSide(backend))
}
