import { object, objects } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { messageOf } from './message.ts'
import { chatOf, latest, type Session, sessionIdOf, takeContext, takeMetadata } from './session.ts'

/** The older form: one document, rewritten with every message. */
export function* readDocument(file: string): Generator<Found> {
  let document: unknown
  try {
    document = readJson(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    yield { problem: { reason: (error as Error).message } }
    return
  }
  const session: Session = {}
  takeMetadata(session, object(document) ?? {})
  const isSubagent = session.subagent === true
  const messages = objects(object(document)?.messages)
    .map((record, at) => messageOf(record, at, isSubagent))
    .filter((message) => message !== undefined)
  if (!messages.some((message) => message.kind !== 'injected')) return
  for (const message of messages) {
    takeContext(session, message)
    session.updatedAt = latest(session.updatedAt, message.createdAt)
  }
  yield { chat: chatOf(session, file) }
  const chatId = session.id ?? sessionIdOf(file)
  for (const message of messages) yield { chatId, message }
}
