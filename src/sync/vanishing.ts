import fs from 'node:fs'
import path from 'node:path'
import type { Archive, FileOfChat } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import type { Retention } from '../sources/retention.ts'
import type { Source } from '../sources/source.ts'
import { discover, existingRoots } from './discover.ts'

const DAY_MS = 86_400_000
/** What goes within so long is said to go soon. */
const SOON_DAYS = 7

/** What an assistant will delete, and what is left of it here only. */
export interface Vanishing {
  source: string
  name: string
  /** Missing where it deletes nothing by itself, as far as is known. */
  retention?: Retention
  /** When the next of its files may go. */
  nextAt?: number
  /** How many chats go within a week, and how many of those are not archived yet. */
  soon: number
  soonUnarchived: number
  /** Chats whose files are gone already: they are here, and nowhere else. */
  onlyHere: number
}

/** Of every assistant with something to say. Cost: a listing of its folders and of those with files that were ever read, and one look at each of these that is gone. */
export async function vanishing(
  archive: Pick<Archive, 'filesOfChats'>,
  sources: Source[],
  machine: Machine,
  now = Date.now(),
): Promise<Vanishing[]> {
  const all: Vanishing[] = []
  const files = await archive.filesOfChats()
  for (const source of sources) {
    const told = files.get(source.id) ?? []
    const retention = source.retention?.(machine)
    const due = retention
      ? dueOf(source, machine, retention, new Set(told.map((each) => each.path)), now)
      : []
    const soon = due.filter(({ at }) => at <= now + SOON_DAYS * DAY_MS)
    const nextAt = due.reduce<number | undefined>(
      (a, { at }) => (a === undefined || at < a ? at : a),
      undefined,
    )
    const one: Vanishing = {
      source: source.id,
      name: source.name,
      ...(retention && { retention }),
      ...(nextAt !== undefined && { nextAt }),
      soon: soon.length,
      soonUnarchived: soon.filter(({ isArchived }) => !isArchived).length,
      onlyHere: onlyHere(told),
    }
    if (one.onlyHere > 0 || nextAt !== undefined) all.push(one)
  }
  return all
}

/** When each of its files that hold chats may go. */
function dueOf(
  source: Source,
  machine: Machine,
  { days, folder }: Retention,
  archived: Set<string>,
  now: number,
): { at: number; isArchived: boolean }[] {
  return existingRoots(source, machine)
    .flatMap((root) => discover(source, root))
    .filter((unit) => !unit.standsIn && (!folder || unit.path.startsWith(folder)))
    .map((unit) => ({
      // It is deleted at the next start of the assistant.
      at: Math.max(now, unit.stat.mtimeMs + days * DAY_MS),
      isArchived: archived.has(unit.path),
    }))
}

function onlyHere(told: FileOfChat[]): number {
  const there = new Map<number, boolean>()
  const names = new Map<string, ReadonlySet<string>>()
  for (const { path: file, chat } of told) {
    if (there.get(chat)) continue
    const folder = path.dirname(file)
    const listed = names.get(folder) ?? namesIn(folder)
    names.set(folder, listed)
    // What is not listed may be written in another way.
    there.set(chat, listed.has(path.basename(file)) || fs.existsSync(file))
  }
  return [...there.values()].filter((isThere) => !isThere).length
}

/** Most folders hold many of the files that are asked for: one listing is quicker than a look at each. */
function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(fs.readdirSync(folder))
  } catch {
    return new Set()
  }
}
