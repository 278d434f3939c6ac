import crypto from 'node:crypto'
import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { type Json, millis, object, objects, parsed, plain, string, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { documentIn, isSaid, readGrowing, type Wire } from './growing.ts'
import { textIn, usageOf } from './wire.ts'

/** `wire.jsonl` of kimi-cli, which was written in Python. */
export function readPythonWire(file: string, from: Checkpoint | undefined): Iterable<Found> {
  const folder = path.dirname(file)
  const state = documentIn(path.join(folder, 'state.json'))
  const chat: Chat = {
    source: 'kimi-cli',
    id: path.basename(folder),
    title: words(state?.custom_title),
    workspace: workspaceOf(folder),
    format: 'wire',
  }
  return readGrowing(file, from, chat, () => new PythonWire())
}

/** The folder of a project is called by the MD5 of its path; the list of all tells which that is. */
function workspaceOf(folder: string): string | undefined {
  const hash = path.basename(path.dirname(folder))
  const known = documentIn(path.resolve(folder, '..', '..', '..', 'kimi.json'))
  return objects(known?.work_dirs)
    .map((each) => words(each.path))
    .find((each) => each && crypto.createHash('md5').update(each).digest('hex') === hash)
}

class PythonWire implements Wire {
  model: string | undefined
  open: Message | undefined
  updatedAt: number | undefined;

  *take(record: Json, order: number): Generator<Message> {
    const message = object(record.message)
    const payload = object(message?.payload) ?? {}
    const at = millis(record.timestamp)
    switch (message?.type) {
      case 'TurnBegin': {
        yield* this.close()
        const text = textIn(payload.user_input)
        if (words(text))
          yield { id: `at-${order}`, order, role: 'user', kind: 'request', createdAt: at, text }
        break
      }
      case 'StepBegin':
      case 'StepInterrupted':
      case 'TurnEnd':
        yield* this.close()
        break
      case 'ContentPart': {
        const answer = this.answer(order, at)
        if (payload.type === 'text') answer.text += string(payload.text) ?? ''
        if (payload.type === 'think')
          answer.thinking = (answer.thinking ?? '') + (string(payload.think) ?? '')
        break
      }
      case 'ToolCall': {
        const call = object(payload.function)
        const answer = this.answer(order, at)
        answer.toolCalls ??= []
        answer.toolCalls.push({
          id: string(payload.id) ?? '',
          tool: words(call?.name) ?? 'unknown',
          args: parsed(call?.arguments),
        })
        break
      }
      case 'ToolResult': {
        yield* this.close()
        const told = object(payload.return_value)
        const callId = string(payload.tool_call_id) ?? ''
        const text = textIn(told?.output) || plain(told?.output ?? payload.return_value)
        const result = told?.is_error === true ? { callId, error: text || 'failed' } : { callId, text }
        yield {
          id: `at-${order}`,
          order,
          role: 'tool',
          kind: 'tool',
          createdAt: at,
          text: '',
          toolResults: [result],
        }
        break
      }
      case 'StatusUpdate':
        if (this.open) this.open.usage = usageOf(object(payload.token_usage)) ?? this.open.usage
        break
      default:
        return
    }
    this.updatedAt = at ?? this.updatedAt
  }

  answer(order: number, createdAt: number | undefined): Message {
    this.open ??= { id: `at-${order}`, order, role: 'assistant', kind: 'answer', createdAt, text: '' }
    return this.open
  }

  *close(): Generator<Message> {
    const { open } = this
    this.open = undefined
    if (open && isSaid(open)) yield open
  }
}
