import path from 'node:path'
import { dataFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root, Source } from '../source.ts'

/** The agent panel of Zed: all threads in one SQLite database. */
export const zed: Source = {
  id: 'zed',
  name: 'Zed',
  evidence: 'seen',
  badge: { letters: 'Ze', colour: 'blue' },
  client: /^zed/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots,
  enters: () => false,
  unit(file, root) {
    if (file !== 'threads.db' && file !== 'threads.db-wal') return undefined
    const db = path.join(root.path, 'threads.db')
    return { path: db, growth: 'database', beside: [`${db}-wal`] }
  },
  reader: async () => {
    const { readThreads } = await import('./threads.ts')
    return { read: (unit, from) => readThreads(unit.path, from) }
  },
}

function roots(machine: Machine): Root[] {
  const name = machine.platform === 'darwin' || machine.platform === 'win32' ? 'Zed' : 'zed'
  const { join } = pathsOf(machine)
  const roots: Root[] = [{ path: join(dataFolder(machine), name, 'threads') }]
  if (machine.platform === 'linux') {
    const flatpak = join(machine.home, '.var', 'app', 'dev.zed.Zed', 'data', 'zed', 'threads')
    roots.push({ path: flatpak, label: 'Flatpak' })
  }
  return roots
}
