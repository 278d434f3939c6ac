import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { readSession } from './session.ts'

/** Continue in VS Code and JetBrains, and its CLI `cn`. */
export const continueDev: Source = {
  id: 'continue',
  name: 'Continue',
  roots: (machine) => [{ path: path.join(globalFolder(machine), 'sessions') }],
  enters: () => false,
  unit: (file, root) =>
    file.endsWith('.json') && !file.includes('/') && file !== 'sessions.json'
      ? { path: path.join(root.path, file), growth: 'whole' }
      : undefined,
  read: (unit) => readSession(unit.path),
}

function globalFolder({ home, env }: Machine): string {
  const chosen = env.CONTINUE_GLOBAL_DIR
  return chosen && path.isAbsolute(chosen) ? chosen : path.join(home, '.continue')
}
