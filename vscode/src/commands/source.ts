import fs from 'node:fs'
import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Backend } from '../backend.ts'
import { t } from '../words.ts'

/** The file that a dialog was read from, as its assistant wrote it; of several, the one that tells the most. */
export async function openSource(backend: Backend, reference: string): Promise<void> {
  // The file is opened by its real name, which is shown to its owner only.
  const reader = (await backend.secretary()).reader({ ...backend.caller(), reveal: true })
  const { chat } = await reader.open(reference)
  const [largest] = chat.filePaths
    .flatMap((path) => {
      const size = fs.statSync(path, { throwIfNoEntry: false })?.size
      return size === undefined ? [] : [{ path, size }]
    })
    .sort((a, b) => b.size - a.size)
  if (!largest) {
    throw new RecollectError(
      'FILE_NOT_FOUND',
      t('The file of “{0}” no longer exists.', chat.title),
      t('The chat is still in the archive: Export as Markdown writes a new file.'),
    )
  }
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(largest.path))
}
