import type { Chat, ChatStatus } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, string, version, words } from '../json.ts'
import type { Found } from '../source.ts'
import { turnMessages, turnStatus, turnTimes } from './turn.ts'
import { placeOf, workspacePath } from './uri.ts'

export const SOURCE_ID = 'vscode'

/** What lies beside a session and says more about it. */
export interface Surroundings {
  /** The id where the session has none of its own: its file's name. */
  id: string
  /** What kind of file it is: `log`, `flat`, `legacy`, `export`. */
  form: string
  workspace?: string
  /** Of the folder, where a server noted no more than that. */
  folderName?: string
  title?: string
  status?: ChatStatus
}

/** A whole session: its chat and every message. A session in which nothing was asked is none. */
export function* sessionFound(session: Json, around: Surroundings): Generator<Found> {
  const facts = gleaned(session)
  if (facts.turns === 0) return
  const chat = chatOf(session, facts, around)
  yield { chat }
  for (const [index, request] of requestsOf(session)) {
    for (const message of turnMessages(request, index)) yield { chatId: chat.id, message }
  }
}

/** What requests say about their chat; small enough to be remembered instead of them. */
export interface Gleaned {
  turns: number
  began?: number
  moved?: number
  /** The folder that a turn ran in, as Copilot noted it. */
  folder?: string
  /** The base of the links in an answer: the same, where Copilot noted nothing. */
  linkBase?: string
  status?: ChatStatus
}

/** Goes on from what was gleaned `before` from requests that are not there any more. */
export function gleaned(session: Json, before: Gleaned = { turns: 0 }): Gleaned {
  const facts = { ...before }
  for (const [index, request] of requestsOf(session)) {
    facts.turns = Math.max(facts.turns, index + 1)
    const { began, ended } = turnTimes(request)
    facts.began = earliest(facts.began, began)
    facts.moved = latest(facts.moved, ended)
    facts.folder ??= notedFolder(request)
    facts.linkBase ??= linkBase(request)
  }
  const last = object(list(session.requests).at(-1))
  if (last) facts.status = turnStatus(last)
  return facts
}

export function chatOf(session: Json, facts: Gleaned, around: Surroundings): Chat {
  const repository = object(session.repoData)
  return {
    source: SOURCE_ID,
    id: words(session.sessionId) ?? around.id,
    title: words(session.customTitle) ?? words(session.computedTitle) ?? around.title,
    workspace:
      workspacePath(session.workingDirectory) ??
      around.workspace ??
      facts.folder ??
      facts.linkBase ??
      around.folderName,
    repository: words(repository?.remoteUrl),
    branch: words(repository?.localBranch),
    createdAt: millis(session.creationDate) ?? facts.began,
    updatedAt: latest(facts.moved, millis(session.lastMessageDate)),
    status: facts.status ?? around.status,
    format: `${around.form} ${version(session.version) ?? ''}`.trimEnd(),
  }
}

/** The requests of a session with their places in it; holes that a damaged log left are passed over. */
export function* requestsOf(session: Json): Generator<[number, Json]> {
  const requests = list(session.requests)
  // Not `entries()`: of a chat that is read on, only the open requests are there.
  for (const key of Object.keys(requests)) {
    const request = object(requests[Number(key)])
    if (request) yield [Number(key), request]
  }
}

/** VS Code's own test for what "Chat: Export Chat…" writes, and for a session. */
export function isExportedChat(document: unknown): document is Json {
  const session = object(document)
  return Array.isArray(session?.requests) && typeof session.responderUsername === 'string'
}

/**
 * A chat from the file that "Chat: Export Chat…" writes. It does not hold the id of its session;
 * Copilot's own notes mostly do, else the first request's id or `id` stands in.
 */
export function exportedChat(document: Json, id: string): Generator<Found> {
  const requests = objects(document.requests)
  const sessionIds = requests.map((request) => words(object(object(request.result)?.metadata)?.sessionId))
  const own = sessionIds.find((sessionId) => sessionId !== undefined)
  return sessionFound(document, { id: own ?? words(requests[0]?.requestId) ?? id, form: 'export' })
}

function notedFolder(request: Json): string | undefined {
  const key = string(object(object(request.result)?.metadata)?.cacheKey)?.split(',')[0]
  return key?.includes('://') ? workspacePath(key) : undefined
}

function linkBase(request: Json): string | undefined {
  const part = objects(request.response).find(({ baseUri }) => object(baseUri))
  return placeOf(part?.baseUri)?.path
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}
