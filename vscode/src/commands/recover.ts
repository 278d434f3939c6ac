import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Backend } from '../backend.ts'
import { localFolder } from '../places.ts'
import { importable } from '../session-file.ts'
import { t } from '../words.ts'
import { fileName } from './export.ts'

/**
 * Writes a dialog of VS Code as a file that VS Code's own "Import Chat…" takes. It is the person's own
 * file on its way back to their own editor: nothing is redacted, and nobody else can read it.
 */
export async function exportForImport(backend: Backend, reference: string): Promise<void> {
  const reader = (await backend.secretary()).reader({ ...backend.caller(), reveal: true })
  const { chat } = await reader.open(reference)
  const session = chat.filePaths.map(importable).find((found) => found !== undefined)
  if (!session) {
    throw new RecollectError(
      'FILE_NOT_FOUND',
      t('VS Code’s file of “{0}” no longer exists.', chat.title),
      t('The chat is still in the archive: read it here, or export it as Markdown.'),
    )
  }
  const target = await vscode.window.showSaveDialog({
    title: t('Recover for Import Chat'),
    defaultUri: vscode.Uri.file(path.join(localFolder() ?? os.homedir(), fileName(chat.title, 'json'))),
    filters: { 'Chat Session': ['json'] },
  })
  if (!target) return
  const text = JSON.stringify(session, null, 2)
  if (target.scheme === 'file') fs.writeFileSync(target.fsPath, text, { mode: 0o600 })
  else await vscode.workspace.fs.writeFile(target, Buffer.from(text))
  backend.log.info(`written for Import Chat: ${target.fsPath}`)
  const importNow = t('Import Now')
  const chosen = await vscode.window.showInformationMessage(
    t('“Chat: Import Chat…” brings this chat back into the open folder.'),
    importNow,
  )
  // Before 1.116 or so the command asks for the file itself.
  if (chosen === importNow)
    await vscode.commands.executeCommand('workbench.action.chat.import', {
      inputPath: target,
      target: 'chatViewPane',
    })
}
