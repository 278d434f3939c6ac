import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { asChatsOf, type DesktopSession, readDesktopSession, readTranscript } from '../claude-code/family.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'

const ID = 'claude-cowork'

export function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  if (unit.growth === 'append') {
    yield* asChatsOf(ID, withKnown(readTranscript(unit, from), unit.path))
    return
  }
  const session = readDesktopSession(unit.path, [projectsOf(unit.path)])
  if (session) yield { chat: { source: ID, id: session.id, ...about(session) } }
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
