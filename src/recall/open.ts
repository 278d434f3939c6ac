import type { ArchivedChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Source } from '../sources/source.ts'
import { discover, existingRoots, type FoundUnit } from '../sync/discover.ts'
import { stampOf } from '../sync/fingerprint.ts'
import { statOf } from '../sync/look.ts'
import { type Asker, type FreshChat, type LiveChat, liveChat, readNow, unsynced, withFresh } from './live.ts'

/** The chat that an id names, also one that was never synced; `current` is not known here. */
export async function openNamed(asker: Asker, reference: string): Promise<LiveChat> {
  const known = await archivedNamed(asker, reference)
  if (known) return withShown(asker, await liveChat(asker, known))
  const told = theOne(reference, await inNewFiles(asker, reference))
  if (told) return withShown(asker, await together(asker, told))
  try {
    // A sync may have archived it while its files were looked through.
    return withShown(asker, await liveChat(asker, await asker.archive.resolveChat(reference)))
  } catch (error) {
    const { shown } = asker.caller
    if (shown?.chat.id === reference) return unsynced(shown)
    throw error
  }
}

/** Beginnings that we give to others have so many characters or more, and name what they named then. */
const GIVEN_LENGTH = 8

/** The archived chat that an id names; nothing where there is none, or where a chat that was never synced is meant. */
export async function archivedNamed(asker: Asker, reference: string): Promise<ArchivedChat | undefined> {
  const { id } = partsOf(asker, reference)
  const { archived, refusal } = await inArchive(asker, reference)
  if (refusal?.code === 'SESSION_NOT_FOUND') return undefined
  const isBegun = archived ? archived.id !== id && archived.id.startsWith(id) : !isOfOneId(refusal, id)
  if (archived && (!isBegun || id.length >= GIVEN_LENGTH)) return archived
  const told = isBegun ? await inNewFiles(asker, reference) : []
  // Of those that begin so, one may have just that for its id.
  if (told.some(({ chat }) => chat.id === id)) return undefined
  if (!archived) throw refusal
  const others = told.filter(({ chat }) => chat.id !== archived.id || chat.source !== archived.source)
  return theOne(reference, [{ chat: archived }, ...others])?.chat === archived ? archived : undefined
}

async function inArchive({ archive }: Asker, reference: string) {
  try {
    return { archived: await archive.resolveChat(reference) }
  } catch (error) {
    unknown(error)
    return { refusal: error as RecollectError }
  }
}

/** Whether it is just this id that several have, each from its own assistant. */
function isOfOneId({ details: { candidates } = {} }: RecollectError, id: string): boolean {
  return Array.isArray(candidates) && candidates.some((each) => each.id === id)
}

/** The chat of exactly this id, which may have its assistant before it; nothing where there is none. */
export async function openExactly(
  asker: Asker,
  source: Source | undefined,
  given: string,
): Promise<LiveChat | undefined> {
  const named = asker.sources.find((each) => given.startsWith(`${each.id}:`))
  const id = named ? given.slice(named.id.length + 1) : given
  if (named) {
    const live = await openNamed(asker, given).catch(unknown)
    if (live?.chat.id === id && live.chat.source === named.id) return live
  }
  if (source) {
    const live = await openNamed(asker, `${source.id}:${given}`).catch(unknown)
    if (live?.chat.id === given) return live
  }
  const live = await openNamed(asker, given).catch(unknown)
  return live?.chat.id === given ? live : undefined
}

/** As the host shows it: it has all that was said so far, where files tell it late and under other ids. */
export function withShown({ caller: { shown } }: Asker, live: LiveChat): LiveChat {
  if (shown?.chat.id !== live.chat.id || shown.chat.source !== live.chat.source) return live
  const { chat, messages } = unsynced(shown)
  const more = [...(live.unsynced ?? []), ...shown.messages]
  const { messageCount, requestCount, updatedAt = live.chat.updatedAt } = chat
  return { chat: { ...live.chat, messageCount, requestCount, updatedAt }, messages, unsynced: more }
}

export interface WrittenUnit {
  source: Source
  unit: FoundUnit
  /** When it was last written to. */
  at: number
}

/** What there is of an assistant on disk. Cost: a listing of its folders. */
export function unitsOf({ machine }: Pick<Asker, 'machine'>, source: Source): WrittenUnit[] {
  return existingRoots(source, machine)
    .flatMap((root) => discover(source, root))
    .map((unit) => ({ source, unit, at: writtenAt(unit) }))
}

/** Those of the wanted ones that have been written to since they were archived. */
export async function changedUnits(
  asker: Asker,
  source: Source,
  isWanted: (unit: FoundUnit) => boolean = () => true,
): Promise<WrittenUnit[]> {
  const units = unitsOf(asker, source).filter(({ unit }) => isWanted(unit))
  // Most assistants have none, and the archive looks at all files for it.
  if (units.length === 0) return []
  const stamps = await asker.archive.unitStamps(source.id)
  return units.filter(({ unit }) => stamps.get(unit.path) !== stampOf(unit))
}

/** A chat as one file tells it, with what the archive has of it. */
export async function together(asker: Asker, told: FreshChat): Promise<LiveChat> {
  const { source, id } = told.chat
  const known = await asker.archive.resolveChat(`${source}:${id}`).catch(unknown)
  if (known?.id === id) return await withFresh(asker, known, [told])
  return unsynced(told, await asker.archive.copiesIn(told.chat, told.bornAt, told.messages))
}

/** A database in use writes to the file beside it first. */
function writtenAt({ stat, growth, beside = [] }: FoundUnit): number {
  if (growth !== 'database') return stat.mtimeMs
  const times = beside.map((file) => statOf(file)?.mtimeMs ?? 0)
  return Math.max(stat.mtimeMs, ...times)
}

/**
 * Chats that are too new for the archive: the one of this id, else all that begin so. Assistants put the id, or the
 * beginning of it, into the path of its file; only what may have it is read.
 */
async function inNewFiles(asker: Asker, reference: string): Promise<FreshChat[]> {
  const { of, id } = partsOf(asker, reference)
  if (id.length < 4) return []
  const part = /[\\/]/.test(id) ? id : id.slice(0, 8)
  const mayHave = ({ path, growth }: FoundUnit) => path.includes(part) || growth === 'database'
  const begun = new Map<string, FreshChat>()
  for (const source of of ? [of] : asker.sources) {
    for (const { unit } of await changedUnits(asker, source, mayHave)) {
      for (const told of await readNow(asker, source, unit)) {
        if (told.chat.id === id) return [told]
        const name = `${source.id}:${told.chat.id}`
        const isMeant = told.chat.id.startsWith(id) || unit.path === reference
        if (isMeant && !begun.has(name)) begun.set(name, told)
      }
    }
  }
  return [...begun.values()]
}

/** An id, and the assistant that stands before it. */
function partsOf({ sources }: Asker, reference: string): { of?: Source; id: string } {
  const colon = reference.indexOf(':')
  const of = sources.find((source) => source.id === reference.slice(0, Math.max(0, colon)))
  return { of, id: of ? reference.slice(colon + 1) : reference }
}

const MOST_LISTED = 10

/** The only one of these, sub-agents' aside; as the archive says it where there are more. */
function theOne<T extends FreshChat | { chat: ArchivedChat }>(reference: string, all: T[]): T | undefined {
  const own = all.filter(({ chat }) => !chat.subagent)
  const meant = own.length > 0 ? own : all
  if (meant.length < 2) return meant[0]
  const candidates = meant.slice(0, MOST_LISTED).map((each: FreshChat | { chat: ArchivedChat }) => {
    const { source, id, title } = 'messages' in each ? unsynced(each).chat : each.chat
    return { source, id, title }
  })
  throw new RecollectError(
    'AMBIGUOUS_ID',
    `${reference} could be any of ${meant.length} chats:\n${candidates
      .map(({ source, id, title }) => `  ${source}:${id}  ${title}`)
      .join('\n')}`,
    'Give more of the id, or `source:id`.',
    { candidates },
  )
}

function unknown(error: unknown): undefined {
  if (error instanceof RecollectError && /^(SESSION_NOT_FOUND|AMBIGUOUS_ID)$/.test(error.code))
    return undefined
  throw error
}
