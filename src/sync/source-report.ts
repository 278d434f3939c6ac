import fs from 'node:fs'
import type { Archive, ArchivedProblem, SourceOverview } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import { closedText } from '../sources/closed.ts'
import { sources } from '../sources/index.ts'
import { type Closed, type Evidence, isOn, type Source } from '../sources/source.ts'
import type { Readable } from './readable.ts'
import { type Vanishing, vanishing } from './vanishing.ts'

/** One assistant: where it was looked for, what was found, and what to do about what was not. */
export interface SourceReport {
  source: string
  name: string
  /** What its format is known from. */
  evidence: Evidence
  on: boolean
  /** The systems that it runs on, where this is none of them: then nothing was looked for. */
  onlyOn?: string[]
  /** Places that are there, on this machine and in added home folders. */
  found: string[]
  /** How many places were looked at. */
  looked: number
  unreadable: string[]
  formats: { format: string; chats: number }[]
  overview?: SourceOverview
  /** What it will delete, and what is only in the archive. */
  vanishing?: Omit<Vanishing, 'source' | 'name' | 'retention'> & {
    days?: number
    setting?: string
    settingFile?: string
    isSet?: boolean
  }
  /** What it keeps encrypted, and what to do instead. */
  closed: Closed[]
  /** What stands in the way, and what to do next. */
  problems: {
    problem: string
    hint: string
    file?: string
    /** What it is, for whoever says it in other words. */
    kind?: 'unreadable' | 'records' | 'more'
    /** Of records, or of files. */
    count?: number
    reason?: string
  }[]
}

/** Of every assistant; without an archive, only what the disk tells. */
export async function sourceReports(
  { sources: on, machine, homes }: Readable,
  archive: Archive | undefined,
): Promise<SourceReport[]> {
  const overviews = (await archive?.overview())?.sources ?? []
  const formats = (await archive?.formats()) ?? []
  const gone = archive ? await vanishing(archive, on, machine) : []
  const unread = (await archive?.problems()) ?? []
  return sources.map((source) => {
    const machines = [machine, ...homes].filter((each) => isOn(source, each))
    const places = placesOf(source, machines)
    const closed = closedOf(source, machines)
    const overview = overviews.find((each) => each.source === source.id)
    return {
      source: source.id,
      name: source.name,
      evidence: source.evidence,
      on: on.includes(source),
      ...(machines.length === 0 && { onlyOn: source.on?.map((system) => SYSTEMS[system] ?? system) }),
      ...places,
      formats: formats
        .filter((each) => each.source === source.id)
        .map(({ format, chats }) => ({ format, chats })),
      ...(overview && { overview }),
      ...vanishingOf(gone, source.id),
      closed,
      problems: [
        ...problemsOf(
          places.unreadable,
          unread.filter((each) => each.source === source.id),
        ),
        ...closed.map((each) => ({ problem: closedText(source.name, each), hint: each.next })),
      ],
    }
  })
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'Windows',
  darwin: 'macOS',
  linux: 'Linux',
}

function vanishingOf(all: Vanishing[], id: string): Pick<SourceReport, 'vanishing'> {
  const found = all.find(({ source }) => source === id)
  if (!found) return {}
  const { source, name, retention, ...rest } = found
  if (!retention) return { vanishing: rest }
  const { days, setting, file: settingFile, isSet } = retention
  return { vanishing: { ...rest, days, setting, settingFile, isSet } }
}

/** What a source cannot read because it is encrypted. */
function closedOf(source: Source, machines: Machine[]): Closed[] {
  return machines.flatMap((machine) => source.closed?.(machine) ?? [])
}

export function placeState(folder: string): 'found' | 'missing' | 'unreadable' {
  try {
    fs.readdirSync(folder)
    return 'found'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable'
  }
}

function placesOf(source: Source, machines: Machine[]) {
  const places = machines
    .flatMap((machine) => source.roots(machine))
    .map(({ path }) => ({ path, state: placeState(path) }))
  const paths = (state: string) => places.filter((place) => place.state === state).map(({ path }) => path)
  return { looked: places.length, found: paths('found'), unreadable: paths('unreadable') }
}

const MOST_FILES = 20

/** Each names its file, and what to do about it. */
function problemsOf(unreadable: string[], records: ArchivedProblem[]): SourceReport['problems'] {
  const files = [...Map.groupBy(records, ({ path }) => path)]
  const more = files.length - MOST_FILES
  return [
    ...unreadable.map((path) => ({
      problem: `${path} cannot be read.`,
      hint: 'Grant yourself read access, then sync again.',
      file: path,
      kind: 'unreadable' as const,
    })),
    ...files.slice(0, MOST_FILES).map(([file, [first, ...rest]]) => ({
      problem: `${count(rest.length + 1, 'record')} could not be read: ${first?.reason ?? 'unknown'}`,
      hint: 'The rest of the file was read. `recollect doctor` says where in it; a sync after an update tries again.',
      file,
      kind: 'records' as const,
      count: rest.length + 1,
      reason: first?.reason ?? 'unknown',
    })),
    ...(more > 0
      ? [
          {
            problem: `${count(more, 'more file')} with such records.`,
            hint: '`recollect doctor` lists all of them.',
            kind: 'more' as const,
            count: more,
          },
        ]
      : []),
  ]
}

function count(n: number, one: string): string {
  return `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`
}
