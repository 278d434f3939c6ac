import fs from 'node:fs'
import type { Archive } from '../archive/archive.ts'
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

/** Of every assistant with something to say. Cost: a listing of its folders, and one look at each file that was ever read. */
export async function vanishing(
  archive: Pick<Archive, 'chatsByFile'>,
  sources: Source[],
  machine: Machine,
  now = Date.now(),
): Promise<Vanishing[]> {
  const all: Vanishing[] = []
  for (const source of sources) {
    const told = await archive.chatsByFile(source.id)
    const retention = source.retention?.(machine)
    const due = retention ? dueOf(source, machine, retention, new Set(told.map(({ path }) => path)), now) : []
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
    .filter(({ path, standsIn }) => !standsIn && (!folder || path.startsWith(folder)))
    .map(({ path, stat }) => ({
      // It is deleted at the next start of the assistant.
      at: Math.max(now, stat.mtimeMs + days * DAY_MS),
      isArchived: archived.has(path),
    }))
}

function onlyHere(told: { path: string; chat: number }[]): number {
  const there = new Map<number, boolean>()
  const looked = new Map<string, boolean>()
  for (const { path, chat } of told) {
    const isThere = looked.get(path) ?? fs.existsSync(path)
    looked.set(path, isThere)
    there.set(chat, isThere || there.get(chat) === true)
  }
  return [...there.values()].filter((isThere) => !isThere).length
}
