import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, plain, string, words } from '../json.ts'
import { readLineFile } from '../line-file.ts'
import type { Checkpoint, Found } from '../source.ts'
import { documentIn } from './document.ts'

/** `sessions/<workspace>/sess_<id>/messages.jsonl` of the editor; `session.json` beside it has the title. */
export function* readIdeSession(file: string, from: Checkpoint | undefined): Generator<Found> {
  const folder = path.dirname(file)
  const about = documentIn(path.join(folder, 'session.json'))
  const chat: Chat = {
    source: 'kiro',
    id: path.basename(folder),
    title: words(about?.title),
    workspace: words(list(about?.workspacePaths)[0]),
    format: 'ide',
  }
  const model = words(about?.modelId)
  // What was told before anybody knew the model is told again with it.
  const isNews = from !== undefined && model !== undefined && !words(object(from.state)?.model)
  if (isNews) yield { restart: true }
  const reading = readLineFile(file, isNews ? undefined : from, chat, (record, order) =>
    messagesIn(record, order, model),
  )
  for (const found of reading) {
    const { offset, state } = 'checkpoint' in found ? found.checkpoint : {}
    yield offset === undefined ? found : { checkpoint: { offset, state: { ...object(state), model } } }
  }
}

function* messagesIn(record: Json, order: number, model: string | undefined): Generator<Message> {
  const payload = object(record.payload) ?? {}
  const about = { id: words(record.id) ?? `at-${order}`, order, createdAt: millis(record.timestamp) }
  const text = textIn(payload.content)
  switch (payload.type) {
    case 'user': {
      const request = withoutWrapper(text)
      if (words(request)) yield { ...about, role: 'user', kind: 'request', text: request }
      break
    }
    case 'assistant': {
      const said = payload.operationType === 'Reasoning' ? { text: '', thinking: text } : { text }
      if (words(text)) yield { ...about, role: 'assistant', kind: 'answer', ...said, ...(model && { model }) }
      break
    }
    case 'tool_call': {
      const call = {
        id: callIdOf(payload),
        tool: words(payload.toolName) ?? 'unknown',
        args: argsOf(payload),
      }
      yield { ...about, role: 'assistant', kind: 'answer', text: '', toolCalls: [call] }
      break
    }
    case 'tool_result': {
      const told = text || plain(payload.result ?? payload.output)
      const isError = payload.isError === true || payload.success === false
      const result = isError ? { error: told || 'failed' } : { text: told }
      const toolResults = [{ callId: callIdOf(payload), ...result }]
      yield { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
      break
    }
  }
}

/** Neither is named in what is known of the format: the usual names are tried. */
function callIdOf(payload: Json): string {
  return words(payload.toolCallId) ?? words(payload.toolUseId) ?? words(payload.callId) ?? ''
}

function argsOf(payload: Json): unknown {
  return payload.args ?? payload.input ?? payload.arguments
}

function withoutWrapper(text: string): string {
  return /^\s*<kiro-ide-message>\s*([\s\S]*?)\s*<\/kiro-ide-message>\s*$/.exec(text)?.[1] ?? text
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return string(content) ?? ''
  return objects(content)
    .flatMap((part) => words(part.text) ?? [])
    .join('\n')
}
