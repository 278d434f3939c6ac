import path from 'node:path'
import { configFolder, dataFolder, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { BACKUP } from './backup.ts'

export const chatwise: Source = {
  id: 'chatwise',
  name: 'ChatWise',
  evidence: 'described',
  badge: { letters: 'Cw', colour: 'pink' },
  client: /chatwise/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),

  roots(machine) {
    const { basename, dirname, join, resolve } = pathsOf(machine)
    const chosen = machine.env.CHATWISE_DB_PATH
    if (chosen) {
      const file = resolve(chosen)
      return [{ path: dirname(file), label: basename(file) }]
    }
    const folders = [join(configFolder(machine), 'app.chatwise')]
    // The Tauri builds (up to 0.9) kept to the data folder, which differs from the other only on Linux.
    if (machine.platform === 'linux') folders.push(join(dataFolder(machine), 'app.chatwise'))
    return folders.map((folder) => ({ path: folder }))
  },

  enters: (folder) => folder === 'backups',

  unit(file, root) {
    const name = root.label ?? 'app.db'
    const main = path.join(root.path, name)
    if (file === name || file === `${name}-wal`)
      return { path: main, growth: 'database', beside: [`${main}-wal`] }
    if (BACKUP.test(file))
      return { path: path.join(root.path, file), growth: 'database', beside: [main], rank: -1 }
    return undefined
  },

  reader: () => import('./reader.ts'),
}
