import fs from 'node:fs'
import type * as vscode from 'vscode'
import type { FreshChat } from '../../../src/recall/live.ts'
import type { Caller } from '../../../src/service/caller.ts'
import type { Reader } from '../../../src/service/reader.ts'
import type { Backend } from '../backend.ts'
import type { Secretary } from '../secretary.ts'
import { shownDialog } from './on-screen.ts'
import { dialogIn } from './token.ts'
import { type WrittenDialog, writtenDialogs } from './written.ts'

/** A dialog that is on the screen is among the last that were written. */
const NEWEST = 5

/**
 * What the host tells of the dialog that a call came from: its name, where the call has a token, and
 * what is on the screen and not yet in its file. Without a name nothing is chosen here: the dialog on
 * the screen need not be the one that calls.
 */
export async function currentDialog(
  backend: Backend,
  secretary: Secretary,
  token: vscode.ChatParticipantToolToken | undefined,
): Promise<Pick<Caller, 'dialog' | 'shown'>> {
  const named = dialogIn(token)
  const written = writtenDialogs(backend.places.chats).slice(0, NEWEST)
  const shown = await shownDialog()
  const id = shown && (await idOf(shown, { named, written, reader: secretary.reader(backend.caller()) }))
  backend.log.debug(`current dialog: ${named ?? 'not named'}, on the screen: ${id ?? 'none'}`)
  return {
    ...(named && { dialog: named }),
    ...(shown && id && (!named || id === named) && { shown: { ...shown, chat: { ...shown.chat, id } } }),
  }
}

interface Clues {
  named: string | undefined
  written: WrittenDialog[]
  reader: Pick<Reader, 'chatOfMessage'>
}

/**
 * Which dialog an export is of: the one that has one of its requests, in the archive or in the files
 * that no sync has read yet. One that nobody knows is new, and then the one that the call came from.
 */
async function idOf(shown: FreshChat, { named, written, reader }: Clues): Promise<string | undefined> {
  const requests = shown.messages.filter(({ kind }) => kind === 'request')
  for (const { id } of requests.slice(0, 1)) {
    const known = await reader.chatOfMessage(id)
    if (known) return known.id
    const file = written.find((dialog) => mentions(dialog.file, id))
    if (file) return file.id
  }
  // VS Code may have written a new dialog before anything was asked in it.
  const isWritten = written.some(({ id, file }) => id === named && mentions(file, '"requestId"'))
  return named && !isWritten ? named : shown.chat.id
}

function mentions(file: string, words: string): boolean {
  try {
    return fs.readFileSync(file).includes(words)
  } catch {
    return false
  }
}
