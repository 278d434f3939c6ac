import path from 'node:path'
import { lasting, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root, Source } from '../source.ts'
import { calls } from './calls.ts'
import { readDatabase } from './database.ts'
import { readMessageFile, readSessionFile } from './tree.ts'

export const opencode: Source = {
  id: 'opencode',
  name: 'opencode',
  evidence: 'seen',
  badge: { letters: 'Oc', colour: 'grey' },
  client: /opencode/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  calls,

  roots(machine) {
    const { basename, dirname, join, resolve } = pathsOf(machine)
    const data = join(dataHome(machine), 'opencode')
    const roots: Root[] = [{ path: data }]
    const chosen = machine.env.OPENCODE_DB
    if (chosen && chosen !== ':memory:') {
      const file = resolve(data, chosen)
      if (path.dirname(file) !== data || !DATABASE.test(path.basename(file)))
        roots.push({ path: dirname(file), label: basename(file) })
    }
    return roots
  },

  enters(folder, root) {
    if (root.label) return false
    return /^storage(\/(session|message)(\/[^/]+)?)?$/.test(folder)
  },

  unit(file, root) {
    const name = file.replace(/-wal$/, '')
    if (root.label ? name === root.label : DATABASE.test(name)) {
      const main = path.join(root.path, name)
      return { path: main, growth: 'database', beside: [`${main}-wal`] }
    }
    // A message's file is written again when its last part is done, so the parts need no watching.
    if (!root.label && /^storage\/(session|message)\/[^/]+\/[^/]+\.json$/.test(file))
      return { path: path.join(root.path, file), growth: 'whole', rank: -1 }
    return undefined
  },

  *read(unit, from) {
    if (unit.growth === 'database') yield* readDatabase(unit.path, from)
    else if (path.basename(path.dirname(path.dirname(unit.path))) === 'session')
      yield* readSessionFile(unit.path)
    else yield* readMessageFile(unit.path)
  },
}

/** `opencode.db`, or `opencode-<channel>.db` for builds of another channel. */
const DATABASE = /^opencode(-[\w.-]+)?\.db$/

/** The XDG folder on every system: macOS and Windows too. */
function dataHome(machine: Machine): string {
  return lasting(machine.env.XDG_DATA_HOME) ?? pathsOf(machine).join(machine.home, '.local', 'share')
}
