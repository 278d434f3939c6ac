import { RecollectError } from '../model/errors.ts'
import type { Source } from '../sources/source.ts'
import { discover, existingRoots, type FoundUnit } from '../sync/discover.ts'
import { stampOf } from '../sync/fingerprint.ts'
import { statOf } from '../sync/look.ts'
import { type Asker, type FreshChat, type LiveChat, liveChat, readNow, unsynced, withFresh } from './live.ts'

/** The chat that an id names, also one that was never synced; `current` is not known here. */
export async function openNamed(asker: Asker, reference: string): Promise<LiveChat> {
  const archived = async () =>
    withShown(asker, await liveChat(asker, await asker.archive.resolveChat(reference)))
  try {
    return await archived()
  } catch (error) {
    if (!(error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND')) throw error
    const found = await inNewFiles(asker, reference)
    if (found) return withShown(asker, found)
    // A sync may have archived it while its files were looked through.
    const after = await archived().catch(unknown)
    if (after) return after
    const { shown } = asker.caller
    if (shown?.chat.id === reference) return unsynced(shown)
    throw error
  }
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

/** Those that have been written to since they were archived. */
export async function changedUnits(asker: Asker, source: Source): Promise<WrittenUnit[]> {
  const units = unitsOf(asker, source)
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

/** A chat that is too new for the archive: assistants put its id, or the beginning of it, into the path of its file. */
async function inNewFiles(asker: Asker, reference: string): Promise<LiveChat | undefined> {
  const colon = reference.indexOf(':')
  const of = asker.sources.find((source) => source.id === reference.slice(0, Math.max(0, colon)))
  const id = of ? reference.slice(colon + 1) : reference
  if (id.length < 4) return undefined
  const part = /[\\/]/.test(id) ? id : id.slice(0, 8)
  for (const source of of ? [of] : asker.sources) {
    const units = (await changedUnits(asker, source)).filter(
      ({ unit }) => unit.path.includes(part) || unit.growth === 'database',
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
