import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import { closedIn } from '../closed.ts'
import type { Source } from '../source.ts'

/** Antigravity, as an editor and as `agy`: what it logs of each conversation. Its databases are protobuf, or encrypted. */
export const antigravity: Source = {
  id: 'antigravity',
  name: 'Antigravity',
  evidence: 'described',
  badge: { letters: 'Ag', colour: 'blue' },
  client: /antigravity/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return ['antigravity', 'antigravity-ide', 'antigravity-cli'].map((name) => ({
      path: join(machine.home, '.gemini', name, 'brain'),
      label: name,
    }))
  },
  enters: (folder) => /^[^/]+(\/\.system_generated(\/logs)?)?$/.test(folder),
  unit(file, root) {
    const [, name] =
      /^[^/]+\/\.system_generated\/logs\/(transcript_full\.jsonl|transcript\.jsonl|overview\.txt)$/.exec(
        file,
      ) ?? []
    if (!name) return undefined
    // Steps are told again as they go on, and not in order.
    return { path: path.join(root.path, ...file.split('/')), growth: 'whole', rank: RANKS[name] }
  },
  reader: async () => {
    const { readTranscript } = await import('./transcript.ts')
    return { read: (unit) => readTranscript(unit.path) }
  },
  closed(machine) {
    const { join } = pathsOf(machine)
    return ['antigravity', 'antigravity-ide', 'antigravity-cli']
      .flatMap((name) =>
        ['conversations', 'implicit'].map((kind) => join(machine.home, '.gemini', name, kind)),
      )
      .flatMap((folder) => [
        ...closedIn(folder, /\.pb$/, NEXT),
        ...closedIn(folder, /\.db$/, NEXT, 'undocumented format'),
      ])
  },
}

const NEXT =
  'Newer versions write a readable transcript of each conversation, which is read; update Antigravity, and copy what you need out of the older ones.'

/** The same steps, in one file more of each than in the other. */
const RANKS: Record<string, number> = { 'transcript_full.jsonl': 2, 'transcript.jsonl': 1, 'overview.txt': 0 }
