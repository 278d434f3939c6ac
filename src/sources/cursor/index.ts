import path from 'node:path'
import { configFolder, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

export const cursor: Source = {
  id: 'cursor',
  name: 'Cursor',
  evidence: 'described',
  badge: { letters: 'Cu', colour: 'slate' },
  client: /cursor/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),

  roots(machine) {
    return [
      { path: pathsOf(machine).join(configFolder(machine), 'Cursor', 'User') },
      { path: pathsOf(machine).join(machine.home, '.cursor', 'projects'), label: TRANSCRIPTS },
      { path: pathsOf(machine).join(machine.home, '.cursor', 'chats'), label: STORES },
    ]
  },

  enters(folder, root) {
    if (root.label === STORES) return /^[^/]+(\/[^/]+)?$/.test(folder)
    return root.label === TRANSCRIPTS
      ? /^[^/]+(\/agent-transcripts(\/[^/]+(\/subagents)?)?)?$/.test(folder)
      : /^(globalStorage|workspaceStorage(\/[^/]+)?)$/.test(folder)
  },

  unit(file, root) {
    if (root.label === TRANSCRIPTS) {
      const main = path.join(root.path, file)
      // The editor's own database tells the same chats with more in them.
      return TRANSCRIPT.test(file) ? { path: main, growth: 'append', rank: -1, standsIn: true } : undefined
    }
    if (root.label === STORES) {
      const stored = /^([^/]+\/[^/]+)\/(?:store\.db(?:-wal)?|meta\.json)$/.exec(file)
      if (!stored) return undefined
      const folder = path.join(root.path, stored[1]!)
      const main = path.join(folder, 'store.db')
      return { path: main, growth: 'database', beside: [`${main}-wal`, path.join(folder, 'meta.json')] }
    }
    const name = file.replace(/-wal$/, '')
    if (name === 'globalStorage/state.vscdb') {
      const main = path.join(root.path, name)
      return { path: main, growth: 'database', beside: [`${main}-wal`] }
    }
    const workspace = /^workspaceStorage\/[^/]+(?=\/(state\.vscdb|workspace\.json)$)/.exec(name)
    if (!workspace) return undefined
    const folder = path.join(root.path, workspace[0])
    const main = path.join(folder, 'state.vscdb')
    return { path: main, growth: 'database', beside: [`${main}-wal`, path.join(folder, 'workspace.json')] }
  },

  reader: () => import('./reader.ts'),
}

const TRANSCRIPTS = 'agent transcripts'
const STORES = 'command-line agent'
const TRANSCRIPT = /^[^/]+\/agent-transcripts\/([^/]+|[^/]+\/[^/]+|[^/]+\/subagents\/[^/]+)\.(?:jsonl|txt)$/
