import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { object, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { chatIdOf, messagesOf, spansIn } from './span.ts'

const LINES_BETWEEN_CHECKPOINTS = 200
/** Chats whose last request is remembered. */
const REMEMBERED = 100

/**
 * A file of traces. A line may hold spans of several chats, and a chat may go on in the next file. Each span of
 * the model repeats everything before it: only its last prompt is told, and once.
 */
export function* readTraces(file: string, from: Checkpoint | undefined): Generator<Found> {
  const asked = new Map(Object.entries(object(from?.state) ?? {}).map(([id, last]) => [id, String(last)]))
  const solution = solutionOf(file)
  let offset = from?.offset ?? 0
  let lines = 0
  const checkpoint = (): Found => ({
    checkpoint: { offset, state: Object.fromEntries([...asked].slice(-REMEMBERED)) },
  })
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    for (const span of spansIn(line.value)) {
      const id = chatIdOf(span)
      if (!id) continue
      for (const message of messagesOf(span)) {
        if (message.kind === 'request') {
          if (asked.get(id) === message.id) continue
          asked.delete(id)
          asked.set(id, message.id)
        }
        const chat: Chat = { source: 'visual-studio', id, workspace: solution, format: 'traces' }
        yield { chat: { ...chat, updatedAt: message.createdAt } }
        yield { chatId: id, message }
      }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield checkpoint()
  }
  yield checkpoint()
}

function solutionOf(file: string): string | undefined {
  const parts = file.split(path.sep)
  const at = parts.lastIndexOf('.vs')
  return at > 0 ? words(parts.slice(0, at).join(path.sep)) : undefined
}
