import fs from 'node:fs'
import { folderKey, isWithinFolder } from '../model/folder-key.ts'
import type { Source } from '../sources/source.ts'
import { statOf } from '../sync/look.ts'
import { type Asker, type LiveChat, liveChat, readNow, unsynced } from './live.ts'
import { changedUnits, openNamed, together, withShown } from './open.ts'

/** Changed files that are looked into to find the newest chats: the dialog that is going on is among the last written. */
const NEWEST_FILES = 8
const NEWEST_CHATS = 200
/** Archived chats of a folder whose files are looked at. */
const LOOKED_AT = 20

/** A chat that may be the one that is going on. */
export interface Candidate {
  source: string
  id: string
  /** When something was last said in it. */
  updatedAt: number
  /** When it was last written to, which may be later. */
  writtenAt: number
  workspace?: string
  /** It has no file, so that nobody can ask for it by its id. */
  isNameless?: boolean
  open(): Promise<LiveChat>
}

/** The newest chat about the caller's folder, of whichever assistant: for a person who wants to go on. */
export async function newestChat(asker: Asker): Promise<LiveChat | undefined> {
  const named = asker.machine.env.RECOLLECT_SESSION?.trim()
  if (named && named !== 'current') return await openNamed(asker, named)
  const { workspace } = asker.caller
  if (!workspace) return undefined
  const candidates = (await all(asker, asker.sources)).sort((a, b) => b.updatedAt - a.updatedAt)
  const chosen =
    candidates.find((each) => each.workspace && folderKey(each.workspace) === folderKey(workspace)) ??
    candidates.find((each) => isAbout(each.workspace, workspace))
  const found = await chosen?.open()
  return found && withShown(asker, found)
}

/** The chats of these assistants in the caller's folder, above and below it, the last written first. */
export async function candidatesAmong(asker: Asker, sources: Source[]): Promise<Candidate[]> {
  const { workspace } = asker.caller
  const near = (await all(asker, sources)).filter((each) => !workspace || isAbout(each.workspace, workspace))
  const found = [...(await onScreen(asker)), ...near]
  const byChat = new Map<string, Candidate>()
  for (const each of found.sort((a, b) => b.writtenAt - a.writtenAt)) {
    const name = `${each.source}:${each.id}`
    if (!byChat.has(name)) byChat.set(name, each)
  }
  return [...byChat.values()]
}

/** What the host shows may be the dialog that asks, and have no file yet. */
async function onScreen(asker: Asker): Promise<Candidate[]> {
  const { shown, workspace } = asker.caller
  if (!shown) return []
  const { source, id } = shown.chat
  const filed = await openNamed(asker, `${source}:${id}`).catch(() => undefined)
  const live = filed ?? unsynced(shown)
  const { updatedAt = 0 } = live.chat
  const open = async () => live
  return [{ source, id, updatedAt, writtenAt: updatedAt, workspace, isNameless: !filed, open }]
}

/** Whether a chat's folder is the caller's, lies in it or holds it; one of them may be spelt by way of a link. */
export function isAbout(folder: string | undefined, workspace: string): boolean {
  if (folder === undefined) return false
  const isNear = (a: string, b: string) => isWithinFolder(a, b) || isWithinFolder(b, a)
  return isNear(folder, workspace) || isNear(withoutLinks(folder), withoutLinks(workspace))
}

const resolved = new Map<string, string>()
const MOST_RESOLVED = 1000

function withoutLinks(folder: string): string {
  let target = resolved.get(folder)
  if (target === undefined) {
    try {
      target = fs.realpathSync.native(folder)
    } catch {
      target = folder
    }
    if (resolved.size >= MOST_RESOLVED) resolved.clear()
    resolved.set(folder, target)
  }
  return target
}

async function all(asker: Asker, sources: Source[]): Promise<Candidate[]> {
  // The files first: what a sync archives in between is then in both, not in neither.
  const fresh = await written(asker, sources)
  return [...(await archived(asker, sources)), ...fresh]
}

async function archived(asker: Asker, sources: Source[]): Promise<Candidate[]> {
  const { archive, caller } = asker
  const { workspace } = caller
  const ids = new Set(sources.map(({ id }) => id))
  const source = sources.length === 1 ? sources[0]!.id : undefined
  // Nobody speaks here in a dialog of another machine.
  const here = { source, machine: 'this' }
  const chats = await archive.listChats(here, { limit: NEWEST_CHATS })
  // Beyond the newest of all there may be the newest of this folder.
  if (workspace)
    chats.push(...(await archive.listChats({ source, workspace, machine: 'this' }, { limit: LOOKED_AT })))
  const near = chats.filter(
    (chat) => ids.has(chat.source) && (!workspace || isAbout(chat.workspace, workspace)),
  )
  return await Promise.all(
    near.map(async (chat, at): Promise<Candidate> => {
      const updatedAt = chat.updatedAt ?? 0
      const files = at < LOOKED_AT ? await archive.unitsOf(chat) : []
      // A database holds many chats: that it was written to says nothing of this one.
      const times = files.map(({ path }) => (/\.jsonl?$/.test(path) ? (statOf(path)?.mtimeMs ?? 0) : 0))
      return {
        source: chat.source,
        id: chat.id,
        updatedAt,
        writtenAt: Math.max(updatedAt, ...times),
        workspace: chat.workspace,
        open: async () => withShown(asker, await liveChat(asker, chat)),
      }
    }),
  )
}

/** Chats in files that have been written to since they were archived. */
async function written(asker: Asker, sources: Source[]): Promise<Candidate[]> {
  const changed = (await Promise.all(sources.map((source) => changedUnits(asker, source)))).flat()
  changed.sort((a, b) => b.at - a.at)
  const candidates: Candidate[] = []
  for (const { source, unit, at } of changed.slice(0, NEWEST_FILES)) {
    for (const told of await readNow(asker, source, unit)) {
      const live = await together(asker, told)
      if (live.chat.subagent || live.messages.length === 0) continue
      const { updatedAt = at, workspace, id } = live.chat
      const writtenAt = unit.growth === 'database' ? updatedAt : Math.max(updatedAt, at)
      candidates.push({
        source: source.id,
        id,
        updatedAt,
        writtenAt,
        workspace,
        open: async () => withShown(asker, live),
      })
    }
  }
  return candidates
}
