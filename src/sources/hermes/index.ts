import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import { closedIn } from '../closed.ts'
import type { Source } from '../source.ts'

/** Hermes Agent: a database, and one more for each profile. */
export const hermes: Source = {
  id: 'hermes',
  name: 'Hermes Agent',
  evidence: 'described',
  badge: { letters: 'He', colour: 'orange' },
  client: /^hermes/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return [{ path: machine.env.HERMES_HOME || join(machine.home, '.hermes') }]
  },
  enters: (folder) => /^profiles(\/[^/]+)?$/.test(folder),
  unit(file, root) {
    const profile = /^((?:profiles\/[^/]+\/)?)state\.db(?:-wal)?$/.exec(file)?.[1]
    if (profile === undefined) return undefined
    const db = path.join(root.path, ...profile.split('/').filter(Boolean), 'state.db')
    return { path: db, growth: 'database', beside: [`${db}-wal`] }
  },
  reader: async () => {
    const { readDatabase } = await import('./database.ts')
    return { read: (unit, from) => readDatabase(unit.path, from) }
  },
  closed(machine) {
    const { join } = pathsOf(machine)
    const folder = join(machine.env.HERMES_HOME || join(machine.home, '.hermes'), 'sessions')
    return closedIn(folder, /^(?:session_.*\.json|\d{8}_.*\.jsonl)$/, NEXT, 'older format')
  },
}

const NEXT = 'What Hermes keeps in state.db is read. Copy what you need out of the older sessions.'
