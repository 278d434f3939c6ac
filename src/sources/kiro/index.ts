import path from 'node:path'
import { configFolder, dataFolder, pathsOf } from '../../platform/machine.ts'
import { closedIn } from '../closed.ts'
import type { Source } from '../source.ts'
import { databaseUnit } from './places.ts'

/** Kiro: the editor's sessions, and those of its command line program in files and before that in a database. */
export const kiro: Source = {
  id: 'kiro',
  name: 'Kiro',
  evidence: 'described',
  badge: { letters: 'Ki', colour: 'violet' },
  client: /^kiro/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return [
      { path: join(machine.env.KIRO_HOME || join(machine.home, '.kiro'), 'sessions') },
      { path: join(dataFolder(machine), 'kiro-cli'), label: 'database' },
    ]
  },
  enters: (folder, root) => root.label === undefined && /^(cli|[^/]+(\/sess_[^/]+)?)$/.test(folder),
  unit(file, root) {
    if (root.label === 'database') {
      const unit = databaseUnit(file, root)
      // A version that writes both would say everything twice: the session's own file is believed.
      return unit && { ...unit, standsIn: true }
    }
    const cli = /^cli\/([^/]+)\.jsonl?$/.exec(file)?.[1]
    if (cli) {
      const at = (end: string) => path.join(root.path, 'cli', `${cli}${end}`)
      return { path: at('.jsonl'), growth: 'append', beside: [at('.json')] }
    }
    const ide = /^([^/]+\/sess_[^/]+)\/(?:messages\.jsonl|session\.json)$/.exec(file)?.[1]
    if (!ide) return undefined
    const at = (name: string) => path.join(root.path, ...ide.split('/'), name)
    return { path: at('messages.jsonl'), growth: 'append', beside: [at('session.json')] }
  },
  reader: () => import('./reader.ts'),
  closed(machine) {
    const { join } = pathsOf(machine)
    const agent = join(configFolder(machine), 'Kiro', 'User', 'globalStorage', 'kiro.kiroagent')
    return closedIn(join(agent, 'workspace-sessions'), /./, NEXT, 'older format')
  },
}

const NEXT =
  'Sessions of newer versions of the editor are read. Copy what you need out of the older ones in Kiro itself.'
