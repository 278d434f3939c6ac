import path from 'node:path'
import type { Chat, Message, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, plain, string, version, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { documentIn, isSaid, readGrowing, type Wire } from './growing.ts'

/** `agents/<agent>/wire.jsonl` of Kimi Code; `main` is the chat, others are its sub-agents. */
export function readWire(file: string, from: Checkpoint | undefined): Iterable<Found> {
  const agent = path.basename(path.dirname(file))
  const folder = path.resolve(file, '..', '..', '..')
  const state = documentIn(path.join(folder, 'state.json'))
  const session = words(state?.id) ?? path.basename(folder)
  const isSubagent = agent !== 'main'
  const parent = words(object(object(state?.agents)?.[agent])?.parentAgentId) ?? 'main'
  const chat: Chat = {
    source: 'kimi-code',
    id: isSubagent ? `${session}/${agent}` : session,
    title: isSubagent ? undefined : words(state?.title),
    workspace: words(state?.cwd) ?? words(state?.workDir),
    createdAt: isSubagent ? undefined : millis(state?.createdAt),
    ...(version(state?.version) && { format: version(state?.version) }),
    ...(isSubagent && { subagent: true, parentId: parent === 'main' ? session : `${session}/${parent}` }),
  }
  return readGrowing(file, from, chat, (model) => new KimiWire(isSubagent, model))
}

/** Every message stands in the file twice; the events of the loop are the ones with the most in them. */
class KimiWire implements Wire {
  readonly isSubagent: boolean
  model: string | undefined
  open: Message | undefined
  updatedAt: number | undefined

  constructor(isSubagent: boolean, model: string | undefined) {
    this.isSubagent = isSubagent
    this.model = model
  }

  *take(record: Json, order: number): Generator<Message> {
    const at = millis(record.time)
    switch (record.type) {
      case 'turn.prompt':
      case 'turn.steer':
        yield* this.close()
        yield* this.prompt(record, order, at)
        break
      case 'context.append_message':
        yield* added(object(record.message), order, at)
        break
      case 'context.append_loop_event':
        yield* this.event(object(record.event) ?? {}, order, at)
        break
      case 'llm.request':
        this.model = words(record.model) ?? this.model
        if (this.open) this.open.model = this.model
        break
      case 'turn.ended':
        yield* this.close()
        if (record.reason !== 'completed' && words(record.reason))
          yield {
            id: `at-${order}`,
            order,
            role: 'system',
            kind: 'notice',
            createdAt: at,
            text: `turn ${record.reason}`,
          }
        break
      default:
        return
    }
    this.updatedAt = at ?? this.updatedAt
  }

  *prompt(record: Json, order: number, createdAt: number | undefined): Generator<Message> {
    const text = textIn(record.input)
    if (!words(text)) return
    const isPersons = object(record.origin)?.kind === 'user'
    const kind = isPersons ? 'request' : this.isSubagent ? 'delegated' : 'injected'
    const isQueued = isPersons && record.type === 'turn.steer'
    const id = words(record.promptId) ?? `at-${order}`
    yield { id, order, role: 'user', kind, createdAt, text, ...(isQueued && { via: 'queued' }) }
  }

  *event(event: Json, order: number, at: number | undefined): Generator<Message> {
    switch (event.type) {
      case 'step.begin':
        yield* this.close()
        this.answer(event.uuid, order, at)
        break
      case 'content.part': {
        const part = object(event.part)
        const answer = this.open ?? this.answer(event.stepUuid, order, at)
        if (part?.type === 'text') answer.text += string(part.text) ?? ''
        if (part?.type === 'think') answer.thinking = (answer.thinking ?? '') + (string(part.think) ?? '')
        break
      }
      case 'tool.call': {
        const answer = this.open ?? this.answer(event.stepUuid, order, at)
        answer.toolCalls ??= []
        answer.toolCalls.push({
          id: string(event.toolCallId) ?? '',
          tool: words(event.name) ?? 'unknown',
          args: event.args,
        })
        break
      }
      case 'tool.result':
        yield {
          id: `at-${order}`,
          order,
          role: 'tool',
          kind: 'tool',
          createdAt: at,
          text: '',
          toolResults: [resultOf(event)],
        }
        break
      case 'step.end':
        if (this.open) this.open.usage = usageOf(object(event.usage))
        yield* this.close()
        break
      default:
        break
    }
  }

  answer(id: unknown, order: number, createdAt: number | undefined): Message {
    this.open = {
      id: words(id) ?? `at-${order}`,
      order,
      role: 'assistant',
      kind: 'answer',
      createdAt,
      text: '',
    }
    if (this.model) this.open.model = this.model
    return this.open
  }

  *close(): Generator<Message> {
    const { open } = this
    this.open = undefined
    if (open && isSaid(open)) yield open
  }
}

/** Reminders; what the person wrote is told by its prompt. */
function* added(message: Json | undefined, order: number, createdAt: number | undefined): Generator<Message> {
  const text = textIn(message?.content)
  if (object(message?.origin)?.kind === 'user' || message?.role !== 'user' || !words(text)) return
  yield { id: `at-${order}`, order, role: 'user', kind: 'injected', createdAt, text }
}

function resultOf({ toolCallId, result }: Json): ToolResult {
  const told = object(result)
  const callId = string(toolCallId) ?? ''
  const text = typeof told?.output === 'string' ? told.output : textIn(told?.output) || plain(told?.output)
  const durationMs = number(told?.durationMs)
  return {
    callId,
    ...(told?.isError === true ? { error: text || 'failed' } : { text }),
    ...(durationMs !== undefined && { durationMs }),
  }
}

/** Of one call of the model: what came from the cache is counted apart. */
export function usageOf(usage: Json | undefined): Usage | undefined {
  const other = number(usage?.inputOther) ?? number(usage?.input_other)
  if (!usage || other === undefined) return undefined
  const cached = number(usage.inputCacheRead) ?? number(usage.input_cache_read) ?? 0
  const cacheWrite = number(usage.inputCacheCreation) ?? number(usage.input_cache_creation) ?? 0
  return { input: other + cached + cacheWrite, output: number(usage.output), cached, cacheWrite }
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => (part.type === 'text' ? (words(part.text) ?? []) : []))
    .join('\n\n')
}
