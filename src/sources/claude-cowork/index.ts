import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import { desktopFolders, enters, unit } from '../claude-code/places.ts'
import type { Source } from '../source.ts'

/** `<account>/<organisation>/local_<id>.json`, and a folder of the same name with Claude Code's files in it. */
const SESSION = /^[^/]+\/[^/]+\/local_[^/]+\.json$/
const PROJECTS = /^([^/]+\/[^/]+\/local_[^/]+\/\.claude\/projects)\/(.+)$/

/** Claude Cowork: Claude Code in a machine of its own, which Claude Desktop keeps the transcripts of. */
export const claudeCowork: Source = {
  id: 'claude-cowork',
  name: 'Claude Cowork',
  evidence: 'described',
  badge: { letters: 'Cw', colour: 'orange' },
  survey: () => import('../claude-code/survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    return desktopFolders(machine).map((folder) => ({ path: join(folder, 'local-agent-mode-sessions') }))
  },
  enters(folder) {
    const below = PROJECTS.exec(folder)?.[2]
    if (below !== undefined) return enters(below)
    return /^(?!skills-plugin)[^/]+(\/[^/]+(\/local_[^/]+(\/\.claude(\/projects)?)?)?)?$/.test(folder)
  },
  unit(file, root) {
    const at = (...parts: string[]) => path.join(root.path, ...parts)
    if (SESSION.test(file)) return { path: at(file), growth: 'whole', rank: 1 }
    const [, projects, below] = PROJECTS.exec(file) ?? []
    return projects && below ? unit(below, { path: at(projects) }) : undefined
  },
  reader: () => import('./reader.ts'),
}
