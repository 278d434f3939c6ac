import fs from 'node:fs'
import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Desk } from '../desk.ts'

/** The file that a dialog was read from, as its assistant wrote it; of several, the one that tells the most. */
export async function openSource(desk: Desk, reference: string): Promise<void> {
  const { archive } = await desk.secretary()
  const chat = await archive.resolveChat(reference)
  const [largest] = (await archive.unitsOf(chat))
    .flatMap(({ path }) => {
      const size = fs.statSync(path, { throwIfNoEntry: false })?.size
      return size === undefined ? [] : [{ path, size }]
    })
    .sort((a, b) => b.size - a.size)
  if (!largest) {
    throw new RecollectError(
      'FILE_NOT_FOUND',
      `The file of “${chat.title}” is gone.`,
      'The archive still has the dialog: Export as Markdown writes a new one.',
    )
  }
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(largest.path))
}
