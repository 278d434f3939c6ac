import { type Machine, pathsOf } from '../../platform/machine.ts'
import { below } from '../below.ts'
import type { Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'

export const copilotCli: Source = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  evidence: 'seen',
  badge: { letters: 'Co', colour: 'violet' },
  client: /copilot/i,
  survey: () => import('./survey.ts'),
  revive: () => import('./revive.ts'),
  signs: () => import('./signs.ts'),
  calls,

  roots(machine: Machine): Root[] {
    const { home, env } = machine
    const { isAbsolute, join } = pathsOf(machine)
    const roots: Root[] = [{ path: env.COPILOT_HOME || join(home, '.copilot') }]
    for (const base of [env.XDG_STATE_HOME, env.XDG_CONFIG_HOME]) {
      if (!base || !isAbsolute(base)) continue
      const folder = join(base, '.copilot')
      if (roots.every((root) => root.path !== folder)) roots.push({ path: folder, label: 'legacy' })
    }
    return roots
  },

  enters(folder) {
    return /^(session-state(\/[^./][^/]*)?|history-session-state)$/.test(folder)
  },

  unit(file, root) {
    const session = /^session-state\/([^./][^/]*)\/(events\.jsonl|workspace\.yaml|checkpoints\/index\.md)$/
    const folder = session.exec(file)?.[1]
    if (folder) return sessionUnit(root, `session-state/${folder}`)
    if (/^session-state\/[^./][^/]*\.jsonl$/.test(file))
      return { path: below(root, file), growth: 'append', rank: 1 }
    if (/^history-session-state\/session_.+_\d+\.json$/.test(file))
      return { path: below(root, file), growth: 'whole' }
    return undefined
  },

  reader: () => import('./reader.ts'),
}

/** A flat file of an early version is a copy once its session has got a folder: it ranks below. */
function sessionUnit(root: Root, folder: string): Unit {
  return {
    path: below(root, `${folder}/events.jsonl`),
    growth: 'append',
    beside: [below(root, `${folder}/workspace.yaml`), below(root, `${folder}/checkpoints/index.md`)],
    rank: 2,
  }
}
