import fs from 'node:fs'
import path from 'node:path'
import { type Json, object, string, version, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { type Member, type Part, type Session, saidTo, toChat, toMessage } from './message.ts'

/** The JSON files of versions before the database: `storage/session/<project>/<session>.json`. */
export function* readSessionFile(file: string, member: Member): Generator<Found> {
  const session = sessionIn(file)
  if (session) yield { chat: toChat(session, member) }
  else yield { problem: { reason: problemOf(file) } }
}

/**
 * `storage/message/<session>/<message>.json`, with its parts from `storage/part/<message>`. A request's
 * file is not always written again after its parts, so each answer tells its request once more.
 */
export function* readMessageFile(file: string, member: Member): Generator<Found> {
  const info = documentIn(file)
  if (!info) {
    yield { problem: { reason: problemOf(file) } }
    return
  }
  const storage = path.resolve(file, '..', '..', '..')
  const sessionId = path.basename(path.dirname(file))
  const session = sessionOf(storage, sessionId)
  yield { chat: session ? toChat(session, member) : { source: member.id, id: sessionId } }

  const request = words(info.parentID)
  const requestFile = request && isFileName(request) && path.join(path.dirname(file), `${request}.json`)
  const asked = requestFile ? documentIn(requestFile) : undefined
  if (request && asked?.role === 'user') yield* foundMessage(storage, sessionId, request, asked, session)
  yield* foundMessage(storage, sessionId, path.basename(file, '.json'), info, session)
}

function* foundMessage(
  storage: string,
  sessionId: string,
  id: string,
  info: Json,
  session: Session | undefined,
): Generator<Found> {
  const parts: Part[] = []
  const folder = path.join(storage, 'part', id)
  for (const name of namesIn(folder)) {
    if (!name.endsWith('.json')) continue
    const content = documentIn(path.join(folder, name))
    if (content) parts.push({ id: path.basename(name, '.json'), content })
    else yield { problem: { reason: problemOf(path.join(folder, name)) } }
  }
  const message = toMessage(id, info, parts, session)
  if (!message) return
  for (const each of [message, ...saidTo(message, parts)]) yield { chatId: sessionId, message: each }
}

/** The session's file lies in a folder named after its project, which a message does not know. */
function sessionOf(storage: string, id: string): Session | undefined {
  const folder = path.join(storage, 'session')
  for (const project of namesIn(folder)) {
    const file = path.join(folder, project, `${id}.json`)
    if (fs.existsSync(file)) return sessionIn(file)
  }
  return undefined
}

function sessionIn(file: string): Session | undefined {
  const info = documentIn(file)
  if (!info) return undefined
  const time = object(info.time)
  return {
    id: path.basename(file, '.json'),
    title: info.title,
    directory: words(info.directory) ?? worktreeBeside(file),
    parentId: info.parentID,
    createdAt: time?.created,
    updatedAt: time?.updated,
    format: `storage ${version(info.version) ?? ''}`.trimEnd(),
    revertedFrom: string(object(info.revert)?.messageID),
  }
}

/** The project's own folder, for sessions that name none: `storage/project/<project>.json`. */
function worktreeBeside(file: string): string | undefined {
  const project = path.basename(path.dirname(file))
  const worktree = words(
    documentIn(path.resolve(file, '..', '..', '..', 'project', `${project}.json`))?.worktree,
  )
  return worktree === '/' ? undefined : worktree
}

function documentIn(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}

function problemOf(file: string): string {
  return `${path.basename(file)} is not readable JSON`
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort()
  } catch {
    return []
  }
}

function isFileName(id: string): boolean {
  return /^[\w-]+$/.test(id)
}
