import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { openReaders } from '../reader/open-readers.ts'
import type { Secretary } from '../secretary.ts'
import { count, t } from '../words.ts'

const NAMED = 5

/** Erases chats from the archive for good, if the person really wants that. */
export async function forgetChats(
  backend: Backend,
  dialogs: Dialogs,
  references: readonly string[],
): Promise<void> {
  // Never a list to pick from: who presses Delete by mistake would erase the next best chat.
  if (references.length === 0) {
    void vscode.window.showInformationMessage(
      t('Nothing was forgotten. Open a chat or select chats in the view first.'),
    )
    return
  }
  const secretary = await backend.secretary()
  const forgetter = secretary.forgetter(backend.caller())
  const chats = await forgetter.unwanted({ chatIds: [...references] })
  const { messages } = await forgetter.count(chats)
  const titles = chats.slice(0, NAMED).map((chat) => `“${chat.title}”`)
  const rest = chats.length > NAMED ? [t('and {0} more', chats.length - NAMED)] : []
  const yes = t('Forget')
  const answer = await vscode.window.showWarningMessage(
    t('Forget {0} ({1})?', count(chats.length, 'chat'), count(messages, 'message')),
    {
      modal: true,
      detail: `${[...titles, ...rest].join('\n')}\n\n${t('This erases the text and its search index from the archive, and later syncs do not bring it back. The assistant’s own files are not changed.')}`,
    },
    yes,
  )
  if (answer !== yes) return
  const forgotten = await forgetter.forget(chats)
  backend.log.info(`forgot ${forgotten.chats} chats with ${forgotten.messages} messages`)
  await closeForgotten(backend, secretary)
  dialogs.refresh()
  vscode.window.setStatusBarMessage(`$(trash) ${t('Forgot {0}', count(forgotten.chats, 'chat'))}`, 5_000)
}

/** With a chat its sub-agents' chats go: every reader is asked whether its chat is still known. */
async function closeForgotten(backend: Backend, secretary: Secretary): Promise<void> {
  const reader = secretary.reader(backend.caller())
  for (const open of [...openReaders(backend).values()]) {
    const isKnown = await reader
      .archived(open.reference)
      .catch(() => reader.open(open.reference))
      .then(
        () => true,
        () => false,
      )
    if (!isKnown) open.close()
  }
}
