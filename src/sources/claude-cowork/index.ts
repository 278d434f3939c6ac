import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { pathsOf } from '../../platform/machine.ts'
import {
  type DesktopSession,
  desktopFolders,
  enters,
  readDesktopSession,
  readTranscript,
  toldAs,
  unit,
} from '../claude-code/family.ts'
import type { Found, Source } from '../source.ts'

const ID = 'claude-cowork'
/** `<account>/<organisation>/local_<id>.json`, and a folder of the same name with Claude Code's files in it. */
const SESSION = /^[^/]+\/[^/]+\/local_[^/]+\.json$/
const PROJECTS = /^([^/]+\/[^/]+\/local_[^/]+\/\.claude\/projects)\/(.+)$/

/** Claude Cowork: Claude Code in a machine of its own, which Claude Desktop keeps the transcripts of. */
export const claudeCowork: Source = {
  id: ID,
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
  *read(unit, from): Generator<Found> {
    if (unit.growth === 'append') {
      yield* toldAs(ID, withKnown(readTranscript(unit, from), unit.path))
      return
    }
    const session = readDesktopSession(unit.path, [projectsOf(unit.path)])
    if (session) yield { chat: { source: ID, id: session.id, ...about(session) } }
  },
}

function projectsOf(session: string): string {
  return path.join(session.replace(/\.json$/, ''), '.claude', 'projects')
}

function about({ title, folder }: DesktopSession): Pick<Chat, 'title' | 'workspace'> {
  return { ...(title && { title }), ...(folder && { workspace: folder }) }
}

/**
 * The folder that a transcript names is one of the machine that the session ran in. What Claude Desktop knows of it
 * stands beside, and may be older than the transcript or newer.
 */
function* withKnown(found: Iterable<Found>, file: string): Generator<Found> {
  const folder = /^(.*[\\/]local_[^\\/]+)[\\/]\.claude[\\/]projects[\\/]/.exec(file)?.[1]
  const session = folder ? readDesktopSession(`${folder}.json`, [projectsOf(folder)]) : undefined
  for (const item of found) {
    if (!('chat' in item)) yield item
    else {
      const { workspace: _, ...chat } = item.chat
      yield { chat: { ...chat, ...(session?.id === chat.id && about(session)) } }
    }
  }
}
