import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Grok Build: a folder for each session, with the updates it sent to its client (ACP). */
export const grokBuild: Source = {
  id: 'grok-build',
  name: 'Grok Build',
  evidence: 'seen',
  badge: { letters: 'Gr', colour: 'slate' },
  client: /grok/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return [{ path: join(machine.env.GROK_HOME || join(machine.home, '.grok'), 'sessions') }]
  },
  enters: (folder) => /^[^/]+(\/[^/]+(\/subagents(\/[^/]+)?)?)?$/.test(folder),
  unit(file, root) {
    const own = /^([^/]+\/[^/]+)\/(?:updates\.jsonl|summary\.json)$/.exec(file)?.[1]
    // Who started a sub-agent stands in the folder of the one that did.
    const [, tree, child] = /^([^/]+)\/[^/]+\/subagents\/([^/]+)\/meta\.json$/.exec(file) ?? []
    const folder = own ?? (tree && `${tree}/${child}`)
    if (!folder) return undefined
    const at = (name: string) => path.join(root.path, ...folder.split('/'), name)
    return { path: at('updates.jsonl'), growth: 'append', beside: [at('summary.json')] }
  },
  reader: async () => {
    const { readUpdates } = await import('./updates.ts')
    return { read: (unit, from) => readUpdates(unit.path, from) }
  },
}
