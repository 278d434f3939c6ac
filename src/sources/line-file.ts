import fs from 'node:fs'
import type { Chat, Message } from '../model/chat.ts'
import { type Json, millis, object } from './json.ts'
import { jsonLines } from './lines.ts'
import type { Checkpoint, Found } from './source.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/**
 * A chat as a file of lines, each of which is understood by itself. What is known of the chat stands elsewhere:
 * in its file's name, or beside it.
 */
export function* readLineFile(
  file: string,
  from: Checkpoint | undefined,
  known: Chat,
  messagesIn: (record: Json, order: number) => Iterable<Message>,
): Generator<Found> {
  const before = object(from?.state)
  const chat: Chat = { ...known, createdAt: known.createdAt ?? millis(before?.createdAt) }
  let updatedAt = millis(before?.updatedAt)
  let offset = from?.offset ?? 0
  let lines = 0
  let isTold = false
  /** Now or in a reading before. */
  let isThere = before?.isThere === true
  const checkpoint = (): Found => ({
    checkpoint: { offset, state: { createdAt: chat.createdAt, updatedAt, isThere } },
  })
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    for (const message of messagesIn(object(line.value) ?? {}, line.offset)) {
      chat.createdAt ??= message.createdAt
      updatedAt = message.createdAt ?? updatedAt
      if (!isTold) yield { chat: { ...chat } }
      isTold = true
      isThere = true
      yield { chatId: chat.id, message }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield checkpoint()
  }
  if (isThere) {
    // Where nothing has a time, the file has.
    const written = filesTime(file)
    chat.createdAt ??= written.created
    yield { chat: { ...chat, updatedAt: updatedAt ?? known.updatedAt ?? written.changed } }
  }
  yield checkpoint()
}

function filesTime(file: string): { created: number; changed: number } {
  const { birthtimeMs, mtimeMs } = fs.statSync(file)
  return { created: Math.round(Math.min(birthtimeMs || mtimeMs, mtimeMs)), changed: Math.round(mtimeMs) }
}
