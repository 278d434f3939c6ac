import { RecollectError } from '../model/errors.ts'
import { addedHomes, readConfig } from '../platform/config.ts'
import type { Machine } from '../platform/machine.ts'
import { sources } from '../sources/index.ts'
import { sourceHint } from '../sources/names.ts'
import type { Source } from '../sources/source.ts'

/** What is read, and where: the assistants that `config.json` does not switch off, here and in added home folders. */
export interface Readable {
  sources: Source[]
  machine: Machine
  homes: Machine[]
}

/** As the archive in `folder` is configured. */
export function readableBy(folder: string, machine: Machine): Readable {
  const config = readConfig(folder)
  const unknown = Object.keys(config.sources).filter((id) => !sources.some((source) => source.id === id))
  if (unknown.length > 0) {
    throw new RecollectError(
      'INVALID_CONFIG',
      `config.json names an assistant that is not known: ${unknown.join(', ')}.`,
      sourceHint(...unknown),
    )
  }
  return {
    sources: sources.filter((source) => config.sources[source.id] !== false),
    machine,
    homes: addedHomes(config),
  }
}
