import { RecollectError } from '../model/errors.ts'
import { fileFailure } from '../platform/change-file.ts'
import type { Machine } from '../platform/machine.ts'
import { openChat } from '../recall/current.ts'
import type { Asker } from '../recall/live.ts'
import { wholeFile } from './bytes.ts'
import { type Entry, entriesIn, isAsWritten, shortHash } from './entry.ts'
import { chatState, type SourceState } from './export.ts'
import { MEMORY_TARGETS, memoryFile, memoryText } from './memory-files.ts'
import { noContextFile, type Place, realFile } from './place.ts'

export interface CheckedEntry {
  timestamp: string
  title: string
  /** `source:id` of a chat, or the path of a file. */
  source: string
  state: SourceState
  /** Somebody changed the entry itself after it was written. */
  edited: boolean
}

/** For every entry that was made from something: whether that still exists and is still the same. */
export async function checkContext({
  place,
  machine,
  asker,
}: Checking): Promise<{ path: string; entries: CheckedEntry[] }> {
  try {
    const real = realFile(place.file, place.workspace, 'READ_ERROR')
    if (!real) throw noContextFile(place)
    const entries: CheckedEntry[] = []
    for (const entry of entriesIn(wholeFile(real))) {
      const source = entry.provenance?.chat ?? entry.provenance?.file
      if (!source) continue
      entries.push({
        timestamp: entry.timestamp,
        title: entry.title,
        source,
        state: await stateOf(entry, { place, machine, asker }),
        edited: !isAsWritten(entry),
      })
    }
    return { path: place.file, entries }
  } catch (error) {
    throw fileFailure(error, 'READ_ERROR', place.file)
  }
}

interface Checking {
  place: Place
  machine: Machine
  /** Without an archive, every chat is missing. */
  asker: Asker | undefined
}

async function stateOf({ provenance }: Entry, { place, machine, asker }: Checking): Promise<SourceState> {
  if (provenance?.file) return fileState(provenance.file, provenance.hash, place, machine)
  if (!provenance?.chat || !asker) return 'missing'
  try {
    return chatState(provenance, (await openChat(asker, provenance.chat)).messages)
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND') return 'missing'
    throw error
  }
}

/** Only files we know of are looked at: a name in a context file is not to be trusted. */
function fileState(name: string, hash: string, place: Place, machine: Machine): SourceState {
  const files = MEMORY_TARGETS.map((target) => memoryFile(target, place, machine))
  const memory = files.find((each) => each.name === name)
  const text = memory && memoryText(memory)
  if (text === undefined) return 'missing'
  return shortHash(text) === hash ? 'unchanged' : 'changed'
}
