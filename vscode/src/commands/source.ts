import fs from 'node:fs'
import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Desk } from '../desk.ts'

/** The file that a dialog was read from, as its assistant wrote it. */
export async function openSource(desk: Desk, reference: string): Promise<void> {
  const { archive } = await desk.secretary()
  const chat = await archive.resolveChat(reference)
  const files = (await archive.unitsOf(chat)).map((unit) => unit.path).filter((file) => fs.existsSync(file))
  const [only] = files
  if (!only) {
    throw new RecollectError(
      'FILE_NOT_FOUND',
      `The file of “${chat.title}” is gone.`,
      'The archive still has the dialog: Export as Markdown writes a new one.',
    )
  }
  const file = files.length === 1 ? only : await vscode.window.showQuickPick(files, { title: 'Source File' })
  if (file) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file))
}
