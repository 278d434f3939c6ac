import path from 'node:path'
import { lasting, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Goose, as desktop app and CLI: one SQLite database, and before it one JSONL file for each session. */
export const goose: Source = {
  id: 'goose',
  name: 'Goose',
  evidence: 'writer',
  badge: { letters: 'Go', colour: 'slate' },
  client: /^goose/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  // It names the dialog with each call as well, and starts servers of their own for sub-agents.
  calls: { variable: { name: 'AGENT_SESSION_ID', staysTrue: true } },
  roots: (machine) => [{ path: pathsOf(machine).join(dataFolder(machine), 'sessions') }],
  enters: () => false,
  unit(file, root) {
    if (file === 'sessions.db' || file === 'sessions.db-wal') {
      const db = path.join(root.path, 'sessions.db')
      return { path: db, growth: 'database', beside: [`${db}-wal`], rank: 1 }
    }
    if (file.includes('/') || !file.endsWith('.jsonl')) return undefined
    return { path: path.join(root.path, file), growth: 'whole' }
  },
  reader: () => import('./reader.ts'),
}

function dataFolder(machine: Machine): string {
  const { platform, home, env } = machine
  const { join } = pathsOf(machine)
  if (env.GOOSE_PATH_ROOT) return join(env.GOOSE_PATH_ROOT, 'data')
  if (platform === 'win32') {
    return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'data')
  }
  return join(lasting(env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'goose')
}
