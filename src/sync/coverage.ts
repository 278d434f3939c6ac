import { setImmediate } from 'node:timers/promises'
import type { Archive, FileChat } from '../archive/archive.ts'
import { count, type Fate, fateOf, type Survey, type Tally } from '../sources/coverage/survey.ts'
import type { Source } from '../sources/source.ts'
import { discover, existingRoots, type FoundUnit } from './discover.ts'
import type { Readable } from './readable.ts'
import type { Progress } from './sync.ts'

/** What the files of one version of an assistant hold, and what of it was archived. */
export interface CoverageRow {
  source: string
  name: string
  /** As the archive knows it; missing for files that tell of no chat, or were not read yet. */
  version?: string
  files: number
  chats: number
  /** By what becomes of them, the most frequent first. */
  records: Record<Fate, { kind: string; records: number }[]>
  /** What people said: counted in the files without the reader, and as it is in the archive. */
  turns: { counted: number; archived: number }
}

export interface CoverageOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** Looks through every file of every assistant. */
export async function coverage(
  { sources, machine, homes }: Readable,
  archive: Archive,
  { signal, onProgress }: CoverageOptions = {},
): Promise<CoverageRow[]> {
  const rows: CoverageRow[] = []
  const found = sources.map((source) => ({
    source,
    units: [machine, ...homes].flatMap((each) =>
      existingRoots(source, each).flatMap((root) => discover(source, root)),
    ),
  }))
  const all = found.flatMap(({ units }) => units)
  const progress: Progress = {
    source: '',
    units: all.length,
    unitsDone: 0,
    bytes: all.reduce((sum, { stat }) => sum + stat.size, 0),
    bytesDone: 0,
    messages: 0,
  }
  for (const { source, units } of found) {
    if (units.length === 0) continue
    const { survey } = await source.survey()
    const versions = byVersion(units, await archive.chatsByFile(source.id))
    for (const { version, units: own, chats } of versions.values()) {
      const tally: Tally = { kinds: new Map(), turns: 0 }
      for (const { unit, counts } of own) {
        const before = tally.turns
        count(survey, unit, { onto: tally })
        if (!counts) tally.turns = before
        progress.source = source.name
        progress.unitsDone++
        progress.bytesDone += unit.stat.size
        onProgress?.(progress)
        await setImmediate()
        signal?.throwIfAborted()
      }
      rows.push(rowOf(source, version, survey, tally, own.length, chats))
    }
  }
  return rows
}

interface Version {
  version?: string
  units: { unit: FoundUnit; counts: boolean }[]
  /** Requests by chat. */
  chats: Map<number, number>
}

/** The units of each version. One counts for what people said only where no better one tells the same chats. */
function byVersion(units: FoundUnit[], told: FileChat[]): Map<string, Version> {
  const ofUnit = Map.groupBy(told, ({ path }) => path)
  const best = new Map<number, number>()
  for (const { path, rank = 0 } of units)
    for (const { chat } of ofUnit.get(path) ?? []) best.set(chat, Math.max(best.get(chat) ?? rank, rank))
  const versions = new Map<string, Version>()
  for (const unit of units) {
    const chats = ofUnit.get(unit.path) ?? []
    const version = chats[0]?.format
    const own: Version = versions.get(version ?? '') ?? { version, units: [], chats: new Map() }
    versions.set(version ?? '', own)
    for (const { chat, requests } of chats) own.chats.set(chat, requests)
    const isBest = chats.some(({ chat }) => (unit.rank ?? 0) >= best.get(chat)!)
    own.units.push({ unit, counts: isBest || (chats.length === 0 && !unit.standsIn) })
  }
  return versions
}

function rowOf(
  { id, name }: Source,
  version: string | undefined,
  survey: Survey,
  tally: Tally,
  files: number,
  chats: Map<number, number>,
): CoverageRow {
  const records: CoverageRow['records'] = { used: [], ignored: [], unknown: [] }
  for (const [kind, seen] of [...tally.kinds].sort((a, b) => b[1] - a[1]))
    records[fateOf(survey, kind)].push({ kind, records: seen })
  return {
    source: id,
    name,
    ...(version !== undefined && { version }),
    files,
    chats: chats.size,
    records,
    turns: { counted: tally.turns, archived: [...chats.values()].reduce((sum, each) => sum + each, 0) },
  }
}
