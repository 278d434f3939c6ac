import path from 'node:path'
import { type Machine, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Continue in VS Code and JetBrains, and its CLI `cn`. */
export const continueDev: Source = {
  id: 'continue',
  name: 'Continue',
  evidence: 'seen',
  badge: { letters: 'Cn', colour: 'violet' },
  client: /continue/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(globalFolder(machine), 'sessions') }],
  enters: () => false,
  unit: (file, root) =>
    file.endsWith('.json') && !file.includes('/') && file !== 'sessions.json'
      ? { path: path.join(root.path, file), growth: 'whole' }
      : undefined,
  reader: async () => {
    const { readSession } = await import('./session.ts')
    return { read: (unit) => readSession(unit.path) }
  },
}

function globalFolder(machine: Machine): string {
  const { isAbsolute, join } = pathsOf(machine)
  const chosen = machine.env.CONTINUE_GLOBAL_DIR
  return chosen && isAbsolute(chosen) ? chosen : join(machine.home, '.continue')
}
