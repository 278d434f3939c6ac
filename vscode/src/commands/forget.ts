import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Desk } from '../desk.ts'
import { count } from '../words.ts'

const NAMED = 5

/** Erases dialogs from the archive for good, if the person really wants that. */
export async function forgetDialogs(desk: Desk, dialogs: Dialogs, references: string[]): Promise<void> {
  const forgetter = (await desk.secretary()).forgetter(desk.caller())
  const chats = await forgetter.unwanted({ chatIds: references })
  const { messages } = await forgetter.count(chats)
  const titles = chats.slice(0, NAMED).map((chat) => `“${chat.title}”`)
  const rest = chats.length > NAMED ? [`and ${chats.length - NAMED} more`] : []
  const yes = 'Forget'
  const answer = await vscode.window.showWarningMessage(
    `Forget ${count(chats.length, 'dialog')} with ${count(messages, 'message')}?`,
    {
      modal: true,
      detail: `${[...titles, ...rest].join('\n')}\n\nText, index and all are erased from the archive, and a sync does not bring them back. The files of the assistant stay as they are.`,
    },
    yes,
  )
  if (answer !== yes) return
  const forgotten = await forgetter.forget(chats)
  desk.log.info(`forgot ${count(forgotten.chats, 'dialog')} with ${count(forgotten.messages, 'message')}`)
  dialogs.refresh()
  vscode.window.setStatusBarMessage(`$(trash) Forgot ${count(forgotten.chats, 'dialog')}`, 5_000)
}
