import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as vscode from 'vscode'
import type { Chat, Message } from '../../../src/model/chat.ts'
import type { FreshChat } from '../../../src/recall/live.ts'
import { exportedChat, isExportedChat } from '../../../src/sources/vscode/session.ts'

/** Longer than a large dialog takes to be written; whoever asks is waiting. */
const PATIENCE_MS = 2_000
const MOST_BYTES = 64 * 1024 * 1024

/**
 * The dialog that was last in focus, as it is on the screen: VS Code writes its files up to a minute
 * late. Its own export command writes the dialog to a file without asking when it is told to which
 * (1.104 to 1.139 at least); the export does not say which dialog it is.
 */
export async function shownDialog(): Promise<FreshChat | undefined> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-'))
  const file = path.join(folder, 'chat.json')
  try {
    await Promise.race([
      vscode.commands.executeCommand('workbench.action.chat.export', vscode.Uri.file(file)),
      sleep(PATIENCE_MS),
    ])
    return exportedIn(file)
  } catch {
    // No chat in this editor, or it is switched off: then the files are all there is.
    return undefined
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function exportedIn(file: string): FreshChat | undefined {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > MOST_BYTES) return undefined
  const document: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (!isExportedChat(document)) return undefined
  let chat: Chat | undefined
  const messages: Message[] = []
  for (const found of exportedChat(document, '')) {
    if ('chat' in found) chat = found.chat
    else if ('message' in found) messages.push(found.message)
  }
  return chat && { chat, messages, whole: false }
}
