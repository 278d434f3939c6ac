import { pathsOf } from '../../platform/machine.ts'
import { unit } from '../claude-code/places.ts'
import type { Source } from '../source.ts'

/** iFlow CLI: Claude Code's rows. An answer is written down several times while it comes, and nothing branches. */
export const iflow: Source = {
  id: 'iflow',
  name: 'iFlow CLI',
  evidence: 'described',
  badge: { letters: 'iF', colour: 'sky' },
  client: /^iflow/i,
  survey: () => import('../claude-code/survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    return [{ path: pathsOf(machine).join(machine.home, '.iflow', 'projects') }]
  },
  enters: (folder) => !folder.includes('/'),
  unit: (file, root) => (/^[^/]+\/session-[^/]+\.jsonl$/.test(file) ? unit(file, root) : undefined),
  reader: async () => {
    const { readTranscript, asChatsOf } = await import('../claude-code/family.ts')
    return { read: (unit, from) => asChatsOf('iflow', readTranscript(unit, from, { inBursts: true })) }
  },
}
