import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { settingsOf } from './settings.ts'

/** Factory's Droid: rows that name the one they follow, with Anthropic's messages in them. */
export const droid: Source = {
  id: 'droid',
  name: 'Factory Droid',
  evidence: 'described',
  badge: { letters: 'Dr', colour: 'slate' },
  client: /^(factory|droid)/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.factory', 'sessions') }],
  enters: (folder) => !folder.includes('/'),
  unit(file, root) {
    if (!/^([^/]+\/)?[^/]+\.(jsonl|settings\.json)$/.test(file)) return undefined
    const log = path.join(root.path, file.replace(/\.settings\.json$/, '.jsonl'))
    return { path: log, growth: 'append', beside: [settingsOf(log)] }
  },
  reader: () => import('./reader.ts'),
}
