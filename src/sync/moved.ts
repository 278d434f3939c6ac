import path from 'node:path'
import type { Archive, KnownUnit, Lease } from '../archive/archive.ts'
import type { FoundUnit } from './discover.ts'
import { marks } from './fingerprint.ts'
import { isMissing, looked } from './look.ts'

/**
 * A session that was archived or taken back, a folder that got another name, a home on another machine: of files that are
 * gone what is known goes over to new ones of the same name that begin with the same bytes. Otherwise both would tell the
 * chat, and the one that is gone might be believed. `known`: the files that are known, where somebody has them at hand.
 */
export async function takeOver(
  archive: Archive,
  source: string,
  lease: Lease,
  { news, known }: { news: FoundUnit[]; known: Iterable<string> | undefined },
): Promise<void> {
  const ends = new Set(news.map(({ path: file }) => endOf(file)))
  const alike =
    !known && ends.size <= FEW
      ? await archive.unitsCalled(source, [...ends])
      : [...(known ?? (await archive.unitStamps(source)).keys())].filter((file) => ends.has(endOf(file)))
  const names = new Set(alike.length > 0 ? news.map(({ path: file }) => nameOf(file)) : [])
  names.delete(undefined)
  const gone = alike.filter((file) => names.has(nameOf(file)) && isMissing(file))
  const byName = Map.groupBy(gone, nameOf)
  for (const unit of news)
    for (const file of byName.get(nameOf(unit.path)) ?? []) {
      const before = await archive.knownUnit(source, file)
      if (before && looked(unit.path, () => isSame(unit, before)))
        await archive.moveUnit(source, file, unit, lease)
    }
}

/** So many names are looked for one by one: a chat that begins is a new file. */
const FEW = 3

function endOf(file: string): string {
  return file.slice(file.lastIndexOf(path.sep))
}

/** What is called by a session: its file, or a folder above. */
const ID = /[\da-f]{8}|^[\w-]{20,}$/i

/**
 * What a file is called from the name of its session on, or by the hidden name that it has in every project; any other
 * without, as of a project, is told by its place alone.
 */
function nameOf(file: string): string | undefined {
  const names = file.split(path.sep).slice(-4)
  if (isHidden(file)) return names.at(-1)
  const at = names.findLastIndex((name) => ID.test(name))
  return at < 0 ? undefined : names.slice(at).join('/')
}

function isHidden(file: string): boolean {
  return path.basename(file).startsWith('.')
}

function isSame({ path: file, growth, stat }: FoundUnit, { checkpoint, fingerprint }: KnownUnit): boolean {
  const offset = checkpoint?.offset
  // How its chats are called stands in the checkpoint.
  if (isHidden(file) && !checkpoint) return false
  if (growth !== 'append' || !offset)
    return stat.size === fingerprint.size && stat.mtimeMs === fingerprint.mtime
  const { head, tail } = marks(file, offset)
  return head === fingerprint.head && tail === fingerprint.tail
}
