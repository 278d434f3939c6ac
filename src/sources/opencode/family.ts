import path from 'node:path'
import { lasting, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root, Source } from '../source.ts'
import { calls } from './calls.ts'
import type { Member } from './message.ts'

/** What differs between the assistants that keep opencode's tables. */
export interface Storage extends Member {
  /** Below the XDG folder for data. */
  folder: string
  /** Names of its databases. */
  database: RegExp
  /** The variable that names another database, absolute or in the folder. */
  variable: string
  /** Whether earlier versions left JSON files in `storage/`. */
  hasFiles?: true
}

/** Where such an assistant keeps its chats, and how they are read. */
export function storedAs(storage: Storage): Pick<Source, 'calls' | 'roots' | 'enters' | 'unit' | 'reader'> {
  return {
    calls,

    roots(machine) {
      const { basename, dirname, join, resolve } = pathsOf(machine)
      const data = join(dataHome(machine), storage.folder)
      const roots: Root[] = [{ path: data }]
      const chosen = machine.env[storage.variable]
      if (chosen && chosen !== ':memory:') {
        const file = resolve(data, chosen)
        if (path.dirname(file) !== data || !storage.database.test(path.basename(file)))
          roots.push({ path: dirname(file), label: basename(file) })
      }
      return roots
    },

    enters(folder, root) {
      if (root.label || !storage.hasFiles) return false
      return /^storage(\/(session|message)(\/[^/]+)?)?$/.test(folder)
    },

    unit(file, root) {
      const name = file.replace(/-wal$/, '')
      if (root.label ? name === root.label : storage.database.test(name)) {
        const main = path.join(root.path, name)
        return { path: main, growth: 'database', beside: [`${main}-wal`] }
      }
      // A message's file is written again when its last part is done, so the parts need no watching.
      const isFile = /^storage\/(session|message)\/[^/]+\/[^/]+\.json$/.test(file)
      if (storage.hasFiles && !root.label && isFile)
        return { path: path.join(root.path, file), growth: 'whole', rank: -1 }
      return undefined
    },

    async reader() {
      const { read } = await import('./reader.ts')
      return { read: (unit, from) => read(unit, from, storage) }
    },
  }
}

/** The XDG folder on every system: macOS and Windows too. */
function dataHome(machine: Machine): string {
  return lasting(machine.env.XDG_DATA_HOME) ?? pathsOf(machine).join(machine.home, '.local', 'share')
}
