import { RecollectError } from '../model/errors.ts'
import { folderKey, isWithinFolder } from '../model/folder-key.ts'
import type { Source } from '../sources/source.ts'
import { discover, existingRoots, type FoundUnit } from '../sync/discover.ts'
import { stampOf } from '../sync/fingerprint.ts'
import { statOf } from '../sync/look.ts'
import { type Asker, type LiveChat, liveChat, readNow, type Told, unsynced, withTold } from './live.ts'

/** Changed files that are looked into to find the newest chat: the dialog that is going on is among the last written. */
const NEWEST_FILES = 8
const NEWEST_CHATS = 200

/** The chat meant by an id as in the contract, `current` and chats that were never synced included. */
export async function openChat(asker: Asker, reference: string): Promise<LiveChat> {
  if (reference === 'current') {
    const current = await currentChat(asker)
    if (current) return current
    throw new RecollectError(
      'SESSION_NOT_FOUND',
      'No active dialog found',
      'Give the id of a chat; `list_chats` shows them.',
    )
  }
  try {
    return withShown(asker, await liveChat(asker, await asker.archive.resolveChat(reference)))
  } catch (error) {
    if (!(error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND')) throw error
    const found = await inNewFiles(asker, reference)
    if (found) return withShown(asker, found)
    const { shown } = asker.caller
    if (shown?.chat.id === reference) return unsynced(shown)
    throw error
  }
}

/** As the host shows it: it has all that was said so far, where files tell it late and under other ids. */
function withShown({ caller: { shown } }: Asker, live: LiveChat): LiveChat {
  if (shown?.chat.id !== live.chat.id || shown.chat.source !== live.chat.source) return live
  const { chat, messages } = unsynced(shown)
  const { messageCount, requestCount, updatedAt = live.chat.updatedAt } = chat
  return { chat: { ...live.chat, messageCount, requestCount, updatedAt }, messages }
}

/**
 * The dialog that the call came from, as far as anyone can tell, fresh from the files on disk: the
 * environment's word, then the host's, then the newest chat of the caller's assistant in the
 * caller's folder, then the newest of any assistant there. Cost: a listing of the assistants'
 * folders and the reading of what was appended to a few files.
 */
export async function currentChat(asker: Asker): Promise<LiveChat | undefined> {
  const { machine, caller, sources } = asker
  const named = machine.env.RECOLLECT_SESSION?.trim()
  if (named && named !== 'current') return await openChat(asker, named)
  if (caller.sessionId && caller.sessionId !== 'current') {
    const hinted = await openChat(asker, caller.sessionId).catch(unknown)
    if (hinted) return hinted
  }
  const own = sources.find((source) => source.id === caller.assistant)
  const found =
    (own && (await newestChat(asker, [own]))) ??
    (caller.workspace ? await newestChat(asker, sources) : undefined)
  return found && withShown(asker, found)
}

interface Candidate {
  updatedAt: number
  workspace?: string
  open(): Promise<LiveChat>
}

async function newestChat(asker: Asker, sources: Source[]): Promise<LiveChat | undefined> {
  const candidates = [...(await archived(asker, sources)), ...(await written(asker, sources))].sort(
    (a, b) => b.updatedAt - a.updatedAt,
  )
  const { workspace } = asker.caller
  const chosen = workspace
    ? (candidates.find((each) => isSame(each.workspace, workspace)) ??
      candidates.find((each) => isWithin(each.workspace, workspace) || isWithin(workspace, each.workspace)))
    : candidates[0]
  return await chosen?.open()
}

async function archived(asker: Asker, sources: Source[]): Promise<Candidate[]> {
  const source = sources.length === 1 ? sources[0]!.id : undefined
  const chats = await asker.archive.listChats({ source }, { limit: NEWEST_CHATS })
  const { workspace } = asker.caller
  // Beyond the newest of all there may be the newest of this folder.
  if (workspace) chats.push(...(await asker.archive.listChats({ source, workspace }, { limit: 1 })))
  return chats.map((chat) => ({
    updatedAt: chat.updatedAt ?? 0,
    workspace: chat.workspace,
    open: () => liveChat(asker, chat),
  }))
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
      const { updatedAt = at, workspace } = live.chat
      candidates.push({ updatedAt, workspace, open: async () => live })
    }
  }
  return candidates
}

async function changedUnits(
  { archive, machine }: Asker,
  source: Source,
): Promise<{ source: Source; unit: FoundUnit; at: number }[]> {
  const stamps = await archive.unitStamps(source.id)
  return existingRoots(source, machine)
    .flatMap((root) => discover(source, root))
    .filter((unit) => stamps.get(unit.path) !== stampOf(unit))
    .map((unit) => ({ source, unit, at: writtenAt(unit) }))
}

/** A database in use writes to the file beside it first. */
function writtenAt({ stat, growth, beside = [] }: FoundUnit): number {
  if (growth !== 'database') return stat.mtimeMs
  const times = beside.map((file) => statOf(file)?.mtimeMs ?? 0)
  return Math.max(stat.mtimeMs, ...times)
}

async function together(asker: Asker, told: Told): Promise<LiveChat> {
  const { source, id } = told.chat
  const known = await asker.archive.resolveChat(`${source}:${id}`).catch(unknown)
  if (known?.id === id) return await withTold(asker, known, [told])
  return unsynced(told, await asker.archive.copiesIn(told.chat, told.bornAt, told.messages))
}

/** A chat that is too new for the archive: assistants put its id into the path of its file. */
async function inNewFiles(asker: Asker, reference: string): Promise<LiveChat | undefined> {
  const colon = reference.indexOf(':')
  const of = asker.sources.find((source) => source.id === reference.slice(0, Math.max(0, colon)))
  const id = of ? reference.slice(colon + 1) : reference
  if (id.length < 4) return undefined
  for (const source of of ? [of] : asker.sources) {
    const units = (await changedUnits(asker, source)).filter(
      ({ unit }) => unit.path.includes(id) || unit.growth === 'database',
    )
    for (const { unit } of units) {
      for (const told of await readNow(asker, source, unit)) {
        const isMeant = told.chat.id === id || (told.chat.id.startsWith(id) && !told.chat.subagent)
        if (isMeant || unit.path === reference) return await together(asker, told)
      }
    }
  }
  return undefined
}

function unknown(error: unknown): undefined {
  if (error instanceof RecollectError && /^(SESSION_NOT_FOUND|AMBIGUOUS_ID)$/.test(error.code))
    return undefined
  throw error
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && folderKey(a) === folderKey(b)
}

function isWithin(inner: string | undefined, outer: string | undefined): boolean {
  return inner !== undefined && outer !== undefined && isWithinFolder(inner, outer)
}
