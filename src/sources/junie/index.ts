import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Junie, the agent of JetBrains: what its sessions drew on the screen. */
export const junie: Source = {
  id: 'junie',
  name: 'Junie',
  evidence: 'described',
  badge: { letters: 'Ju', colour: 'green' },
  client: /^junie/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.junie', 'sessions') }],
  enters: (folder) => /^session-[^/]+$/.test(folder),
  unit(file, root) {
    const session = /^(session-[^/]+)\/(?:events\.jsonl|state\.json)$/.exec(file)?.[1]
    if (!session) return undefined
    const at = (name: string) => path.join(root.path, session, name)
    // A block is written again whenever something in it changes: the whole is needed to know the last.
    return { path: at('events.jsonl'), growth: 'whole', beside: [at('state.json')] }
  },
  reader: async () => {
    const { readSession } = await import('./session.ts')
    return { read: (unit) => readSession(unit.path) }
  },
}
