import { sources } from '../sources/index.ts'
import { type Readable, readableBy } from '../sync/readable.ts'
import { archiveFolder, type GlobalOptions, machineOf } from './archive.ts'

/** What is read, and where; the sample archive has a machine of its own. */
export function readable(options: GlobalOptions): Readable {
  const machine = machineOf(options)
  return options.sample ? { sources, machine, homes: [] } : readableBy(archiveFolder(options), machine)
}
