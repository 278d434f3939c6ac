import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { type Json, object, plain, string, words } from '../json.ts'
import { readLineFile } from '../line-file.ts'
import type { Checkpoint, Found } from '../source.ts'

/** `transcripts/<trajectory>.jsonl`: steps without times, whose content stands under the name of their type. */
export function readTranscript(file: string, from: Checkpoint | undefined): Iterable<Found> {
  const chat: Chat = {
    source: 'windsurf',
    id: path.basename(file, '.jsonl'),
    format: 'transcript',
  }
  return readLineFile(file, from, chat, messagesIn)
}

function* messagesIn(record: Json, order: number): Generator<Message> {
  const type = words(record.type)
  const step = type === undefined ? undefined : object(record[type])
  if (!type || !step) return
  const about = { id: `at-${order}`, order }
  if (type === 'user_input') {
    const text = string(step.user_response)
    if (words(text)) yield { ...about, role: 'user', kind: 'request', text: text! }
    return
  }
  const answer = { ...about, role: 'assistant', kind: 'answer' } as const
  if (type === 'planner_response') {
    const text = string(step.response)
    if (words(text)) yield { ...answer, text: text! }
    return
  }
  const file = type === 'code_action' ? words(step.path) : undefined
  yield {
    ...answer,
    text: '',
    toolCalls: [{ id: about.id, tool: type, args: step }],
    ...(file && { files: [{ path: plain(file), action: 'edit' as const }] }),
  }
}
