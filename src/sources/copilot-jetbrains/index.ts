import path from 'node:path'
import { dataFolder, lasting, pathsOf } from '../../platform/machine.ts'
import { closedIn, foldersIn } from '../closed.ts'
import type { Source } from '../source.ts'

/** Copies of what was rolled back have one more name: `partition-1.v2.jsonl`. */
const PARTITION = /^[^/]+\/partition-(\d{1,6})\.jsonl$/

/** Copilot in JetBrains' editors: the events of Copilot CLI, in one file after another for each chat. */
export const copilotJetbrains: Source = {
  id: 'copilot-jetbrains',
  name: 'Copilot in JetBrains',
  evidence: 'writer',
  badge: { letters: 'Cj', colour: 'pink' },
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.copilot', 'jb') }],
  enters: (folder) => !folder.includes('/'),
  unit: (file, root) =>
    PARTITION.test(file) ? { path: path.join(root.path, file), growth: 'append' } : undefined,
  reader: () => import('./reader.ts'),
  closed(machine) {
    const { platform, home, env } = machine
    const { join } = pathsOf(machine)
    const config =
      platform === 'win32' ? dataFolder(machine) : (lasting(env.XDG_CONFIG_HOME) ?? join(home, '.config'))
    const base = join(config, 'github-copilot')
    const stores = foldersIn(base)
      .flatMap((editor) => STORES.map((name) => join(editor, name)))
      .flatMap(foldersIn)
    const files = stores.flatMap((store) => closedIn(store, /nitrite\.db$/, NEXT)).length
    return files > 0 ? [{ path: base, files, how: 'undocumented format', next: NEXT }] : []
  },
}

/** Below the folder of each editor. */
const STORES = ['chat-sessions', 'chat-agent-sessions', 'chat-edit-sessions', 'bg-agent-sessions']
const NEXT =
  'Chats that are also in ~/.copilot/jb, as newer versions of the plugin write them, are read from there. Copy what you need out of the others in the editor.'
