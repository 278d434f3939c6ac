import fs from 'node:fs'
import path from 'node:path'
import type { ArchivedChat } from '../../src/archive/archive.ts'
import type { Reader } from '../../src/service/reader.ts'
import { workspaceOf } from '../../src/sources/vscode/side-files.ts'
import { type WrittenDialog, writtenDialogs } from './current/written.ts'
import type { Places } from './places.ts'

/** A dialog that VS Code no longer lists, because its folder is not where it was. */
export interface Orphan {
  id: string
  file: string
  /** Where its folder was. */
  folder: string
  reason: 'moved or deleted' | 'recreated'
}

interface Storage {
  folder: string
  /** The folder of the person that it was made for, on this machine. */
  of: string | undefined
  isElsewhere: boolean
  dialogs: WrittenDialog[]
  /** When anything in it was last written. */
  usedAt: number
}

/**
 * VS Code keeps dialogs under an id that is made from where a folder is and when it was made. What
 * is kept for a folder that is gone, or that has got another id since, no window lists any more.
 */
export async function findOrphans(
  places: Places,
  reader: Reader,
): Promise<{ chat: ArchivedChat; orphan: Orphan }[]> {
  const found: { chat: ArchivedChat; orphan: Orphan }[] = []
  const all = storages(places.user)
  const own = path.dirname(places.chats)
  for (const storage of all) {
    const { of, isElsewhere, dialogs } = storage
    if (storage.folder === own || isElsewhere) continue
    const isAnew = isReplaced(storage, all, own)
    if (of && fs.existsSync(of) && !isAnew) continue
    for (const { id, file } of dialogs) {
      const chat = await reader.archived(`vscode:${id}`).catch(() => undefined)
      // A server's storage does not say what it was made for; the dialogs themselves mostly do.
      const folder = of ?? chat?.workspace
      if (!chat || !folder || !path.isAbsolute(folder)) continue
      const isGone = !fs.existsSync(folder)
      if (isGone || isAnew)
        found.push({ chat, orphan: { id, file, folder, reason: isGone ? 'moved or deleted' : 'recreated' } })
    }
  }
  return found.sort((a, b) => (b.chat.updatedAt ?? 0) - (a.chat.updatedAt ?? 0))
}

/** Another storage has been made for the same folder since, or is in use by this window. */
function isReplaced(storage: Storage, all: Storage[], own: string): boolean {
  if (!storage.of) return false
  return all.some(
    (other) =>
      other !== storage && other.of === storage.of && (other.folder === own || other.usedAt > storage.usedAt),
  )
}

function storages(user: string): Storage[] {
  const root = path.join(user, 'workspaceStorage')
  return entries(root).map((name) => {
    const folder = path.join(root, name)
    const dialogs = writtenDialogs(path.join(folder, 'chatSessions'))
    const of = workspaceOf(folder)
    return {
      folder,
      of,
      isElsewhere: of !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(of),
      dialogs,
      usedAt: Math.max(0, ...entries(folder).map((each) => writtenAt(path.join(folder, each)))),
    }
  })
}

function writtenAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function entries(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
