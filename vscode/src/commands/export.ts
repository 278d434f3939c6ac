import path from 'node:path'
import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Caller } from '../../../src/service/caller.ts'
import type { Backend } from '../backend.ts'
import { localFolder } from '../places.ts'
import type { Secretary } from '../secretary.ts'
import { count, t } from '../words.ts'

/** Hands dialogs over through the workspace's context.md, which is started where there is none. */
export async function exportToContext(backend: Backend, references: string[]): Promise<void> {
  const folder = localFolder()
  if (!folder) {
    throw new RecollectError(
      'NO_FOLDER',
      t('No local folder is open to write context.md to.'),
      t('Open one, or export as Markdown.'),
    )
  }
  if (!vscode.workspace.isTrusted)
    throw new RecollectError(
      'WORKSPACE_NOT_TRUSTED',
      t('Recollect writes nothing to an untrusted workspace.'),
    )
  const secretary = await backend.secretary()
  const caller = { ...backend.caller(), roots: [folder] }
  let written: string | undefined
  for (const sessionId of references) {
    const exported = await handedOver(secretary, caller, sessionId)
    if (!exported) return
    written = exported.path
    backend.log.info(`${exported.entry} in ${exported.path}: ${exported.exported.title}`)
  }
  const open = t('Open context.md')
  const chosen = await vscode.window.showInformationMessage(
    t('Wrote {0} to context.md.', count(references.length, 'chat')),
    open,
  )
  if (chosen === open && written) await vscode.window.showTextDocument(vscode.Uri.file(written))
}

async function handedOver(secretary: Secretary, caller: Caller, sessionId: string) {
  try {
    return await secretary.ask('export_conversation', { sessionId }, caller)
  } catch (error) {
    const isMissing = error instanceof RecollectError && /^(CONTEXT|FILE)_NOT_FOUND$/.test(error.code)
    if (!isMissing) throw error
    const start = t('Create context.md')
    if ((await vscode.window.showInformationMessage(error.message, { modal: true }, start)) !== start)
      return undefined
    await secretary.ask('init_context', {}, caller)
    return await secretary.ask('export_conversation', { sessionId }, caller)
  }
}

/** Dialogs as one Markdown file, private to the person. */
export async function exportMarkdown(backend: Backend, references: string[]): Promise<void> {
  const secretary = await backend.secretary()
  const caller = backend.caller()
  const first = await secretary.reader(caller).archived(references[0] ?? '')
  const name = references.length === 1 ? fileName(first.title) : 'chats.md'
  const target = await vscode.window.showSaveDialog({
    title: t('Export as Markdown'),
    defaultUri: vscode.Uri.file(path.join(localFolder() ?? secretary.readable().machine.home, name)),
    filters: { Markdown: ['md'] },
  })
  if (!target) return
  await writeExport(secretary, caller, references, target)
  await vscode.window.showTextDocument(target)
}

/** What is on this machine is written as a private file; anything else only VS Code can write. */
async function writeExport(
  secretary: Secretary,
  caller: Caller,
  chatIds: string[],
  target: vscode.Uri,
): Promise<void> {
  const isHere = target.scheme === 'file'
  // The person has agreed in the dialog to write over it.
  const to = isHere ? { path: target.fsPath, force: true } : {}
  const { text = '' } = await secretary.ask('export_chats', { chatIds, format: 'markdown', ...to }, caller)
  if (!isHere) await vscode.workspace.fs.writeFile(target, Buffer.from(text))
}

/** Without what a file system or a shell would stumble over. */
export function fileName(title: string, extension = 'md'): string {
  const plain = title
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${plain || 'chat'}.${extension}`
}
