import fs from 'node:fs'
import type * as vscode from 'vscode'
import type { Deps } from '../../../src/capabilities/capability.ts'
import { openChat } from '../../../src/recall/current.ts'
import type { Told } from '../../../src/recall/live.ts'
import type { Caller } from '../../../src/service/caller.ts'
import type { Desk } from '../desk.ts'
import type { Secretary } from '../secretary.ts'
import { shownDialog } from './shown.ts'
import { dialogIn } from './token.ts'
import { type WrittenDialog, writtenDialogs } from './written.ts'

/** Dialogs in which nothing has been asked yet are written too: the next newest is meant then. */
const NEWEST = 5

/**
 * The dialog that a call came from: the one that the host names, else the one of this window that
 * was written to last. With it comes what is on the screen and not yet in its file.
 */
export async function currentDialog(
  desk: Desk,
  secretary: Secretary,
  token: vscode.ChatParticipantToolToken | undefined,
): Promise<Pick<Caller, 'dialog' | 'shown'>> {
  const named = dialogIn(token)
  const written = writtenDialogs(desk.places.chats).slice(0, NEWEST)
  const deps = await secretary.deps(desk.caller())
  const shown = await shownDialog()
  const id = shown && (await idOf(shown, { named, written, deps }))
  const newest = await newestWritten(deps, written)
  const isNewer = shown && id && (updatedAt(shown) ?? 0) >= (newest?.updatedAt ?? 0)
  const sessionId = named ?? (isNewer ? id : newest?.id)
  if (!sessionId) return {}
  desk.log.debug(
    `current dialog: ${sessionId} (${named ? 'named by the host' : isNewer ? 'shown' : 'newest'})`,
  )
  return {
    dialog: sessionId,
    ...(shown && id === sessionId && { shown: { ...shown, chat: { ...shown.chat, id } } }),
  }
}

/** The newest dialog of this window in which something was asked. */
async function newestWritten(
  deps: Deps,
  written: WrittenDialog[],
): Promise<{ id: string; updatedAt?: number } | undefined> {
  for (const { id } of written) {
    const found = await openChat(deps, id).catch(() => undefined)
    if (found && found.messages.length > 0) return { id, updatedAt: found.chat.updatedAt }
  }
  return undefined
}

interface Clues {
  named: string | undefined
  written: WrittenDialog[]
  deps: Deps
}

/**
 * Which dialog an export is of: the one that has one of its requests, in the archive or in the files
 * that no sync has read yet. One that nobody knows is new, and then the one that the call came from.
 */
async function idOf(shown: Told, { named, written, deps }: Clues): Promise<string | undefined> {
  const requests = shown.messages.filter(({ kind }) => kind === 'request')
  for (const { id } of requests.slice(0, 1)) {
    const [known] = await deps.archive.messagesBegunWith(id, 1)
    if (known) return known.chat.id
    const file = written.find((dialog) => mentions(dialog.file, id))
    if (file) return file.id
  }
  const isWritten = written.some(({ id }) => id === named)
  return named && !isWritten ? named : shown.chat.id
}

function mentions(file: string, id: string): boolean {
  try {
    return fs.readFileSync(file).includes(id)
  } catch {
    return false
  }
}

function updatedAt({ messages }: Told): number | undefined {
  return messages.reduce<number | undefined>((last, { createdAt }) => {
    return createdAt !== undefined && createdAt > (last ?? 0) ? createdAt : last
  }, undefined)
}
