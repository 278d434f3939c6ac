import type { Chat } from '../../model/chat.ts'
import { object, string } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { messageOf, Path, takeEntry } from './entries.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/** A session as one file of entries. `chat` is what is known before it is read; the header's id is its name. */
export function* readSession(file: string, from: Checkpoint | undefined, known: Chat): Generator<Found> {
  const before = object(from?.state)
  const path = new Path(string(before?.last))
  let chat: Chat = { ...known, ...object(before?.chat) }
  let offset = from?.offset ?? 0
  let lines = 0
  let isTold = false
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    const entry = object(line.value) ?? {}
    if (!path.follows(entry)) {
      yield { restart: true }
      yield* readBranches(file, known)
      return
    }
    takeEntry(chat, entry)
    const message = messageOf(entry, line.offset)
    path.add(entry)
    if (message) {
      chat.updatedAt = message.createdAt ?? chat.updatedAt
      if (!isTold) yield { chat: { ...chat } }
      isTold = true
      yield { chatId: chat.id, message }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) {
      chat = { ...chat }
      yield { checkpoint: { offset, state: { chat, last: path.last } } }
    }
  }
  if (lines > 0 && (isTold || before)) yield { chat }
  yield { checkpoint: { offset, state: { chat, last: path.last } } }
}

/** A session in which somebody went back: what is on no way to its last entry is undone. */
function* readBranches(file: string, known: Chat): Generator<Found> {
  const path = new Path()
  const chat: Chat = { ...known }
  for (const { value } of jsonLines(file)) {
    const entry = object(value) ?? {}
    takeEntry(chat, entry)
    path.add(entry)
  }
  const active = path.active()
  let offset = 0
  yield { chat: { ...chat } }
  for (const line of jsonLines(file)) {
    offset = line.end
    if (line.problem) yield { problem: line.problem }
    const entry = object(line.value) ?? {}
    const message = messageOf(entry, line.offset)
    if (!message) continue
    chat.updatedAt = message.createdAt ?? chat.updatedAt
    const isUndone = typeof entry.id === 'string' && !active.has(entry.id)
    yield { chatId: chat.id, message: { ...message, ...(isUndone && { undone: true }) } }
  }
  yield { chat }
  yield { checkpoint: { offset, state: { chat, last: path.last } } }
}
