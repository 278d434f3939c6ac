import type { Source } from '../source.ts'
import { storedAs } from './family.ts'

export const opencode: Source = {
  id: 'opencode',
  name: 'opencode',
  evidence: 'seen',
  badge: { letters: 'Oc', colour: 'grey' },
  client: /opencode/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  ...storedAs({
    id: 'opencode',
    command: 'opencode',
    folder: 'opencode',
    // `opencode-<channel>.db` for builds of another channel.
    database: /^opencode(-[\w.-]+)?\.db$/,
    variable: 'OPENCODE_DB',
    hasFiles: true,
  }),
}
