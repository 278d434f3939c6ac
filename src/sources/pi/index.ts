import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** pi, and two that keep its files elsewhere: Oh My Pi and Prime Agent. */
export const pi: Source = {
  id: 'pi',
  name: 'pi',
  evidence: 'seen',
  badge: { letters: 'pi', colour: 'teal' },
  client: /^pi\b/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { home, env } = machine
    const { join } = pathsOf(machine)
    return [
      { path: join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions') },
      { path: join(home, '.omp', 'agent', 'sessions'), label: 'Oh My Pi' },
      { path: join(home, '.prime', 'agent', 'sessions'), label: 'Prime Agent' },
    ]
  },
  enters: (folder) => !folder.includes('/'),
  unit: (file, root) =>
    /^([^/]+\/)?[^/]+\.jsonl$/.test(file)
      ? { path: path.join(root.path, file), growth: 'append' }
      : undefined,
  reader: () => import('./reader.ts'),
}
