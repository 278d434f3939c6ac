import type { ArchivedChat } from '../archive/archive.ts'
import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { newestChat } from '../recall/candidates.ts'
import { openChat } from '../recall/current.ts'
import { type Asker, type LiveHeader, saidIn } from '../recall/live.ts'
import { isOnDisk } from '../recall/on-disk.ts'
import type { Place } from './place.ts'

export interface Resume {
  success: true
  /** To be typed into a shell, in the workspace of the chat. */
  command: string
  sessionId: string
  source: string
  updatedAt?: number
  workspace?: string
}

const LOOKED_AT = 100

/**
 * The command that goes on with a chat: the one named, else the newest of the workspace that has one. A secret in it or in
 * the folder is masked; `recollect resume --run` runs it as it is.
 */
export async function resumeCommand(
  asker: Asker,
  place: Place,
  clean: Clean,
  sessionId?: string,
): Promise<Resume> {
  if (sessionId) {
    const live = await openChat(withWorkspace(asker, place), sessionId)
    const { chat } = live
    if (chat.origin)
      throw new RecollectError(
        'SESSION_NOT_FOUND',
        `${chat.id} is a chat of ${chat.origin.author}, on ${chat.origin.machine}: it can be resumed only there.`,
        'Hand it over with export_conversation.',
      )
    const isThere = await isStillThere(asker, chat)
    if (chat.resume && isThere) return resumeOf(clean(chat, saidIn(live)))
    if (!isThere)
      throw new RecollectError(
        'SESSION_NOT_FOUND',
        `${chat.source} no longer has ${chat.id}: its file is gone.`,
        'Hand it over with export_conversation.',
      )
    throw new RecollectError(
      'SESSION_NOT_FOUND',
      `${chat.source} has no command that goes on with ${chat.id}.`,
      'Open it in its own application, or hand it over with export_conversation.',
    )
  }
  const anyAssistant = { ...asker, caller: { workspace: place.workspace } }
  const newest = await newestChat(anyAssistant)
  if (newest?.chat.resume && (await isStillThere(asker, newest.chat)))
    return resumeOf(clean(newest.chat, saidIn(newest)))
  const chats = await asker.archive.listChats(
    { workspace: place.workspace, machine: 'this' },
    { limit: LOOKED_AT },
  )
  for (const chat of chats)
    if (chat.resume && (await isStillThere(asker, chat))) return resumeOf(clean(chat, chat))
  throw new RecollectError(
    'SESSION_NOT_FOUND',
    `No chat about ${place.workspace} can be resumed from a shell.`,
    'Give the id of a chat (list_chats shows them), or another workspace.',
  )
}

export function withWorkspace(asker: Asker, place: Place): Asker {
  return { ...asker, caller: { ...asker.caller, workspace: place.workspace } }
}

/** Whether the assistant has the chat that it would go on with. */
async function isStillThere({ archive }: Asker, chat: LiveHeader): Promise<boolean> {
  return chat.key === undefined || isOnDisk(await archive.unitsOf(chat as ArchivedChat))
}

function resumeOf({ id, source, updatedAt, workspace, resume: command = '' }: LiveHeader): Resume {
  return {
    success: true,
    command,
    sessionId: id,
    source,
    ...(updatedAt !== undefined && { updatedAt }),
    ...(workspace !== undefined && { workspace }),
  }
}
