import path from 'node:path'
import { configFolder, pathsOf } from '../../platform/machine.ts'
import { closedIn } from '../closed.ts'
import { ROLLOUT, rankOf } from '../codex/places.ts'
import type { Source } from '../source.ts'

/** TraeX, the second CLI of Trae: Codex's rollouts, in which one line may add several items. */
export const traex: Source = {
  id: 'traex',
  name: 'TraeX',
  evidence: 'described',
  badge: { letters: 'Tx', colour: 'teal' },
  client: /^trae/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.trae', 'cli') }],
  enters: (folder) => /^(?:sessions|archived_sessions)(?:\/|$)/.test(folder),
  // Several items begin in the same place, so that a reading cannot go on between them.
  unit: (file, root) =>
    ROLLOUT.test(file)
      ? { path: path.join(root.path, file), growth: 'whole', rank: rankOf(file) }
      : undefined,
  reader: async () => {
    const { readRolloutAs } = await import('../codex/family.ts')
    return { read: (unit) => readRolloutAs('traex', unit.path) }
  },
  closed: (machine) =>
    ['Trae', 'Trae CN', 'TRAE SOLO CN'].flatMap((name) =>
      closedIn(
        pathsOf(machine).join(configFolder(machine), name, 'ModularData', 'ai-agent'),
        /^database\.db$/,
        'That is the editor. The command line program of Trae writes sessions that are read.',
      ),
    ),
}
