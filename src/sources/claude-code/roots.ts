import { type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root } from '../source.ts'

export function roots(machine: Machine): Root[] {
  const { home, env } = machine
  const { join, resolve, isAbsolute } = pathsOf(machine)
  const named = (env.CLAUDE_CONFIG_DIR ?? '')
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '')
    .map((folder) => resolve(/^~[/\\]/.test(folder) ? join(home, folder.slice(2)) : folder))
  const xdg = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? [env.XDG_CONFIG_HOME] : []
  const usual = [join(home, '.claude'), join(home, '.config', 'claude')]
  const folders = [...named, ...usual, ...xdg.map((folder) => join(folder, 'claude'))]
  return [...new Set(folders)].map((folder) => ({ path: join(folder, 'projects') }))
}
