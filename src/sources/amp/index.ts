import path from 'node:path'
import { lasting, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Amp: one document for each thread. Newer versions keep threads on their server; an export looks the same. */
export const amp: Source = {
  id: 'amp',
  name: 'Amp',
  evidence: 'described',
  badge: { letters: 'Am', colour: 'pink' },
  client: /^amp/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    const data = lasting(machine.env.XDG_DATA_HOME) ?? join(machine.home, '.local', 'share')
    return [{ path: join(data, 'amp', 'threads') }]
  },
  enters: () => false,
  unit: (file, root) =>
    /^T-[^/]+\.json$/.test(file) ? { path: path.join(root.path, file), growth: 'whole' } : undefined,
  reader: async () => {
    const { readThread } = await import('./thread.ts')
    return { read: (unit) => readThread(unit.path) }
  },
}
