import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Auggie, the command line program of Augment. `session.json` beside its sessions is the sign-in and is never read. */
export const auggie: Source = {
  id: 'auggie',
  name: 'Auggie',
  evidence: 'writer',
  badge: { letters: 'Au', colour: 'green' },
  client: /auggie|augment/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.augment', 'sessions') }],
  enters: () => false,
  unit: (file, root) =>
    /^[^/]+\.json$/.test(file) && !/-backup\d*\.json$/.test(file)
      ? { path: path.join(root.path, file), growth: 'whole' }
      : undefined,
  reader: async () => {
    const { readSession } = await import('./session.ts')
    return { read: (unit) => readSession(unit.path) }
  },
}
