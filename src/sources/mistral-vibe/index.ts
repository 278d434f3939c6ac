import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Mistral Vibe: a folder for each session, with its messages as lines and what is known of it beside them. */
export const mistralVibe: Source = {
  id: 'mistral-vibe',
  name: 'Mistral Vibe',
  evidence: 'writer',
  badge: { letters: 'Mv', colour: 'orange' },
  client: /vibe/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return [{ path: join(machine.env.VIBE_HOME || join(machine.home, '.vibe'), 'logs', 'session') }]
  },
  enters: (folder) => !folder.includes('/'),
  unit(file, root) {
    const folder = /^([^/]+)\/(?:messages\.jsonl|meta\.json)$/.exec(file)?.[1]
    if (!folder) return undefined
    const at = (name: string) => path.join(root.path, folder, name)
    return { path: at('messages.jsonl'), growth: 'append', beside: [at('meta.json')] }
  },
  reader: async () => {
    const { readSession } = await import('./session.ts')
    return { read: (unit, from) => readSession(unit.path, from) }
  },
}
