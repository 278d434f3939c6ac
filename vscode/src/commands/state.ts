import fs from 'node:fs'
import path from 'node:path'
import * as vscode from 'vscode'
import { configFile } from '../../../src/platform/config.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Desk } from '../desk.ts'
import { problemLine, stateOf, syncLine } from '../status.ts'
import { ago, count } from '../words.ts'

interface Line extends vscode.QuickPickItem {
  run?: () => unknown
}

const run = (command: string, ...given: unknown[]) => vscode.commands.executeCommand(command, ...given)

/** What is in the archive, how fresh it is, what is wrong with it, and what can be done. */
export async function showStatus(desk: Desk): Promise<void> {
  const { overview, syncing, failure } = await stateOf(desk)
  const problems = problemLine(overview)
  const lines: Line[] = [
    heading('Archive'),
    failure
      ? { label: '$(error) The archive cannot be opened', detail: failure, run: () => desk.log.show() }
      : overview
        ? {
            label: `$(database) ${count(overview.chats, 'dialog')}, ${count(overview.messages, 'message')}`,
            detail: overview.path,
            run: () => run('revealFileInOS', vscode.Uri.file(overview.path)),
          }
        : {
            label: '$(database) No archive yet',
            detail: 'Sync Now makes one.',
            run: () => run('recollect.syncNow'),
          },
    { label: `$(sync) ${syncLine(syncing, overview?.lastSyncAt)}`, run: () => run('recollect.syncNow') },
    ...(problems ? [{ label: `$(warning) ${problems}`, run: () => run('recollect.showProblems') }] : []),
    heading('Assistants'),
    ...(overview?.sources ?? [])
      .filter(({ chats }) => chats > 0)
      .map(({ source, chats, newestAt }) => ({
        label: sourceName(source),
        description: [count(chats, 'dialog'), newestAt && `newest ${ago(newestAt)}`]
          .filter(Boolean)
          .join(', '),
      })),
    heading('Actions'),
    { label: '$(sync) Sync Now', run: () => run('recollect.syncNow') },
    { label: '$(search) Search Dialogs…', run: () => run('recollect.search') },
    {
      label: '$(settings-gear) Settings',
      run: () => run('workbench.action.openSettings', '@ext:recollect.recollect-vscode'),
    },
    { label: '$(output) Show Log', run: () => desk.log.show() },
  ]
  const chosen = await vscode.window.showQuickPick(lines, { title: 'Recollect', placeHolder: 'Status' })
  await chosen?.run?.()
}

/** What could not be read, as a document. */
export async function showProblems(desk: Desk): Promise<void> {
  const secretary = await desk.secretary()
  const problems = await secretary.reader(desk.caller()).problems()
  const lines = problems.map(({ source, path: file, offset, reason }) => {
    const place = offset === undefined ? file : `${file} at byte ${offset}`
    return `- ${sourceName(source)}: ${reason}\n  ${place}`
  })
  const content = `# What could not be read\n\n${lines.join('\n') || 'Everything was read.'}\n`
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content })
  await vscode.window.showTextDocument(document)
}

/** The configuration that all programs share, made where there is none. */
export async function openConfiguration(desk: Desk): Promise<void> {
  const { folder } = await desk.secretary()
  const file = configFile(folder)
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.writeFileSync(file, '{\n  "sources": {}\n}\n', { mode: 0o600, flag: 'wx' })
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file))
}

function heading(label: string): Line {
  return { label, kind: vscode.QuickPickItemKind.Separator }
}
