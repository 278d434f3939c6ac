import fs from 'node:fs'
import path from 'node:path'
import { dataFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import { list, object, objects, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Root, Source } from '../source.ts'

/** Crush: a database in each project, and a list of the projects. */
export const crush: Source = {
  id: 'crush',
  name: 'Crush',
  evidence: 'writer',
  badge: { letters: 'Cr', colour: 'pink' },
  client: /^crush/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: globalFolder(machine) }, ...projectFolders(machine)],
  enters: () => false,
  unit(file, root) {
    if (file !== 'crush.db' && file !== 'crush.db-wal') return undefined
    const db = path.join(root.path, 'crush.db')
    return { path: db, growth: 'database', beside: [`${db}-wal`] }
  },
  reader: async () => {
    const { readDatabase } = await import('./database.ts')
    return { read: (unit, from) => readDatabase(unit.path, from) }
  },
}

function globalFolder(machine: Machine): string {
  return machine.env.CRUSH_GLOBAL_DATA || pathsOf(machine).join(xdg(machine), 'crush')
}

/** `~/.local/share` on macOS as well. */
function xdg(machine: Machine): string {
  return dataFolder(machine.platform === 'darwin' ? { ...machine, platform: 'linux' } : machine)
}

/** The list may be one of objects, alone or as `projects`. Paths of another machine are of no use here. */
function projectFolders(machine: Machine): Root[] {
  const { join, isAbsolute } = pathsOf(machine)
  const file = join(globalFolder(machine), 'projects.json')
  if (!fs.existsSync(file)) return []
  try {
    const stored = readJson(file)
    const listed = object(stored)?.projects
    const projects = Array.isArray(stored) ? objects(stored) : objects(list(listed))
    return projects.flatMap(({ path: project, data_dir: data }) => {
      const folder = words(project)
      if (!folder || !isAbsolute(folder)) return []
      const chosen = words(data) ?? '.crush'
      return [{ path: isAbsolute(chosen) ? chosen : join(folder, chosen), label: folder }]
    })
  } catch {
    return []
  }
}
