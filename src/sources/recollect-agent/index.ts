import path from 'node:path'
import { pathsOf, recollectHome } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { AGENT_SOURCE, RUNS, runIdIn } from './place.ts'

/** Recollect's own agent: one file of events for each dialog, beside the archive. */
export const recollectAgent: Source = {
  id: AGENT_SOURCE,
  name: 'Recollect agent',
  evidence: 'seen',
  badge: { letters: 'Re', colour: 'accent' },
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(recollectHome(machine), RUNS) }],
  enters: () => false,
  unit: (file, root) => (runIdIn(file) ? { path: path.join(root.path, file), growth: 'append' } : undefined),
  reader: async () => {
    const { readRun } = await import('./run.ts')
    return { read: (unit, from) => readRun(unit.path, from) }
  },
}
