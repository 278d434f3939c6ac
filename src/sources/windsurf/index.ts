import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import { closedIn } from '../closed.ts'
import type { Source } from '../source.ts'

/** Windsurf: its own store is encrypted; a hook makes it write transcripts that are not. */
export const windsurf: Source = {
  id: 'windsurf',
  name: 'Windsurf',
  evidence: 'described',
  badge: { letters: 'Ws', colour: 'teal' },
  client: /windsurf|cascade/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.windsurf', 'transcripts') }],
  enters: () => false,
  unit: (file, root) =>
    /^[^/]+\.jsonl$/.test(file) ? { path: path.join(root.path, file), growth: 'append' } : undefined,
  reader: async () => {
    const { readTranscript } = await import('./transcript.ts')
    return { read: (unit, from) => readTranscript(unit.path, from) }
  },
  closed: (machine) =>
    closedIn(
      pathsOf(machine).join(machine.home, '.codeium', 'windsurf', 'cascade'),
      /\.pb$/,
      'Add the hook `post_cascade_response_with_transcript` to Windsurf (docs/sources/windsurf.md): what is said from then on is written to ~/.windsurf/transcripts and read.',
    ),
}
