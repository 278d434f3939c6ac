import path from 'node:path'
import { recollectHome } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { AGENT_SOURCE, runIdIn, runsFolder } from './place.ts'
import { readRun } from './run.ts'

/** Recollect's own agent: one file of events for each dialog, beside the archive. */
export const recollectAgent: Source = {
  id: AGENT_SOURCE,
  name: 'Recollect agent',
  roots: (machine) => [{ path: runsFolder(recollectHome(machine)) }],
  enters: () => false,
  unit: (file, root) => (runIdIn(file) ? { path: path.join(root.path, file), growth: 'append' } : undefined),
  read: (unit, from) => readRun(unit.path, from),
}
