import * as vscode from 'vscode'
import type { Backend } from '../backend.ts'

/** `@recollect` answers from history. */
export function registerParticipant(context: vscode.ExtensionContext, backend: Backend): void {
  const participant = vscode.chat.createChatParticipant(
    'recollect.participant',
    async (request, _, stream, token) => {
      const { answer } = await import('./answer.ts')
      return await answer(backend, request, stream, token)
    },
  )
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png')
  context.subscriptions.push(participant)
}
