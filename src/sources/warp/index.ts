import path from 'node:path'
import { dataFolder, lasting, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root, Source } from '../source.ts'

/** Warp: what was said to its agent, in the terminal's database. It keeps the newest 200 conversations. */
export const warp: Source = {
  id: 'warp',
  name: 'Warp',
  evidence: 'writer',
  badge: { letters: 'Wa', colour: 'teal' },
  client: /^warp/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots,
  enters: () => false,
  unit(file, root) {
    if (file !== 'warp.sqlite' && file !== 'warp.sqlite-wal') return undefined
    const db = path.join(root.path, 'warp.sqlite')
    return { path: db, growth: 'database', beside: [`${db}-wal`] }
  },
  reader: async () => {
    const { readDatabase } = await import('./database.ts')
    return { read: (unit, from) => readDatabase(unit.path, from) }
  },
}

function roots(machine: Machine): Root[] {
  const { platform, home, env } = machine
  const { join } = pathsOf(machine)
  if (platform === 'win32')
    return ['Warp', 'WarpPreview'].map((name) => ({
      path: join(dataFolder(machine), 'warp', name, 'data'),
      label: name,
    }))
  if (platform === 'darwin')
    return ['Stable', 'Preview'].flatMap((name) => {
      const own = join('Library', 'Application Support', `dev.warp.Warp-${name}`)
      const group = join(home, 'Library', 'Group Containers', '2BBY89MBSN.dev.warp')
      return [
        { path: join(group, own), label: name },
        { path: join(home, own), label: name },
      ]
    })
  const state = lasting(env.XDG_STATE_HOME) ?? join(home, '.local', 'state')
  return ['warp-terminal', 'warp-terminal-preview'].map((name) => ({ path: join(state, name), label: name }))
}
