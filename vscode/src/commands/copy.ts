import * as vscode from 'vscode'
import { RecollectError } from '../../../src/model/errors.ts'
import { requestsOf } from '../../../src/recall/live.ts'
import { preview } from '../../../src/recall/preview.ts'
import type { Backend } from '../backend.ts'
import { ago, t } from '../words.ts'

/** A request in the person's own words, to the clipboard. */
export async function copyRequest(backend: Backend, reference: string): Promise<void> {
  const secretary = await backend.secretary()
  const { chat, messages } = await secretary.reader(backend.caller()).whole(reference)
  const requests = requestsOf(messages)
  const [first] = requests
  if (!first) throw new RecollectError('NO_REQUEST', t('“{0}” has no requests.', chat.title))
  const items = requests.map(({ text, createdAt }, index) => ({
    label: `${index + 1}. ${preview(text)}`,
    description: ago(createdAt),
    text,
  }))
  const chosen =
    requests.length === 1
      ? first
      : await vscode.window.showQuickPick(items, {
          title: chat.title,
          placeHolder: t('Choose the request to copy'),
        })
  if (!chosen) return
  await vscode.env.clipboard.writeText(chosen.text)
  vscode.window.setStatusBarMessage(`$(check) ${t('Request copied')}`, 3_000)
}

/** The command that goes on with a chat in its own assistant. */
export async function copyResumeCommand(backend: Backend, reference: string): Promise<void> {
  const secretary = await backend.secretary()
  const chat = await secretary.reader(backend.caller()).archived(reference)
  if (!chat.resume) {
    throw new RecollectError(
      'NOT_RESUMABLE',
      t('“{0}” cannot be resumed from the command line.', chat.title),
      t('Use Export to context.md to hand it over to any assistant.'),
    )
  }
  await vscode.env.clipboard.writeText(chat.resume)
  vscode.window.setStatusBarMessage(`$(check) ${t('Copied: {0}', chat.resume)}`, 5_000)
}
