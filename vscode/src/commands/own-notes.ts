import * as vscode from 'vscode'
import type { OwnNotes } from '../../../src/archive/archive.ts'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { count, t } from '../words.ts'

/** Pins chats, puts them away, or takes that back: in our archive, no assistant hears of it. */
export async function noteAll(
  backend: Backend,
  dialogs: Dialogs,
  references: readonly string[],
  notes: OwnNotes,
): Promise<void> {
  const noter = (await backend.secretary()).noter(backend.caller())
  for (const reference of references) await noter.note(reference, notes)
  dialogs.refresh()
  if (!notes.archived) return
  vscode.window.setStatusBarMessage(
    `$(archive) ${t('Archived {0}. Search still finds them; they are listed at the end of the view.', count(references.length, 'chat'))}`,
    5_000,
  )
}

/** Gives a chat a name of the person's own. */
export async function renameChat(backend: Backend, dialogs: Dialogs, reference: string): Promise<void> {
  const secretary = await backend.secretary()
  const chat = await secretary.reader(backend.caller()).archived(reference)
  const name = await vscode.window.showInputBox({
    title: t('Rename Chat'),
    prompt: t(
      'The name is used in Recollect only; the assistant’s file is not changed. Leave empty for the assistant’s own title.',
    ),
    value: chat.title,
    ignoreFocusOut: true,
  })
  if (name === undefined || name === chat.title) return
  await secretary.noter(backend.caller()).note(reference, { name })
  dialogs.refresh()
}
