import type { Message } from '../../model/chat.ts'
import { object, objects } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { messagesOf } from './message.ts'
import {
  chatOf,
  latest,
  projectFolderOf,
  type Session,
  sessionIdOf,
  takeContext,
  takeMetadata,
} from './session.ts'

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
  const folder = projectFolderOf(file)
  const messages: Message[] = []
  for (const [at, record] of objects(object(document)?.messages).entries()) {
    for (const message of messagesOf(record, at, isSubagent, folder ?? session.workspace)) {
      messages.push(message)
      takeContext(session, message)
      session.updatedAt = latest(session.updatedAt, message.createdAt)
    }
  }
  if (!messages.some((message) => message.kind !== 'injected')) return
  yield { chat: chatOf(session, file) }
  const chatId = session.id ?? sessionIdOf(file)
  for (const message of messages) yield { chatId, message }
}
