import { storedAs } from '../opencode/family.ts'
import type { Source } from '../source.ts'

/** Kilo Code since version 7; before that it kept tasks as Cline does. */
export const kilo: Source = {
  id: 'kilo',
  name: 'Kilo Code',
  evidence: 'seen',
  badge: { letters: 'Ki', colour: 'orange' },
  client: /^kilo/i,
  survey: () => import('../opencode/survey.ts'),
  signs: () => import('./signs.ts'),
  ...storedAs({
    id: 'kilo',
    command: 'kilo',
    folder: 'kilo',
    database: /^kilo(-[\w.-]+)?\.db$/,
    variable: 'KILO_DB',
  }),
}
