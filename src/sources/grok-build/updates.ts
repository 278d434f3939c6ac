import path from 'node:path'
import type { Chat, Message, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, plain, string, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { chatOf } from './summary.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/**
 * What was said comes in chunks, which are joined until something else comes. A reading that ends in the
 * midst of a message begins with that message the next time.
 */
export function* readUpdates(file: string, from: Checkpoint | undefined): Generator<Found> {
  const chat = chatOf(path.dirname(file))
  const wasSubagent = object(from?.state)?.isSubagent === true
  // While the summary is written it cannot be read; and it may come after the first updates, when nobody knew who asked.
  if (wasSubagent) chat.subagent = true
  const isSubagent = chat.subagent === true
  if (from && isSubagent && !wasSubagent) {
    yield { restart: true }
    from = undefined
  }
  const talk = new Talk(chat, millis(object(from?.state)?.updatedAt))
  let offset = from?.offset ?? 0
  let lines = 0
  let isTold = false
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    const params = object(object(line.value)?.params)
    const update = object(params?.update)
    if (update) {
      const at = millis(object(params?._meta)?.agentTimestampMs) ?? millis(object(line.value)?.timestamp)
      for (const message of talk.take(update, line.offset, at)) yield* tell(message)
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield checkpoint()
  }
  if (talk.open && isSaid(talk.open)) yield* tell(talk.open)
  if (isTold || from) yield { chat: { ...chat, updatedAt: talk.updatedAt } }
  yield checkpoint()

  function* tell(message: Message): Generator<Found> {
    if (!isTold) yield { chat: { ...chat } }
    isTold = true
    yield { chatId: chat.id, message }
  }

  function checkpoint(): Found {
    const state = { updatedAt: talk.updatedAt, ...(isSubagent && { isSubagent }) }
    return { checkpoint: { offset: talk.open?.order ?? offset, state } }
  }
}

function isSaid({ role, text }: Message): boolean {
  return role === 'assistant' || words(text) !== undefined
}

/** The messages that updates add up to. */
class Talk {
  readonly chat: Chat
  /** What may still grow. */
  open: Message | undefined
  updatedAt: number | undefined

  constructor(chat: Chat, updatedAt: number | undefined) {
    this.chat = chat
    this.updatedAt = updatedAt
  }

  /** The messages that are whole after an update. */
  *take(update: Json, order: number, at: number | undefined): Generator<Message> {
    this.updatedAt = at ?? this.updatedAt
    const text = string(object(update.content)?.text) ?? ''
    switch (update.sessionUpdate) {
      case 'user_message_chunk': {
        const kind = this.kindOf(object(update._meta))
        if (this.open?.role !== 'user' || this.open.kind !== kind) yield* this.close()
        this.open ??= { id: `at-${order}`, order, role: 'user', kind, createdAt: at, text: '' }
        this.open.text += text
        break
      }
      case 'agent_thought_chunk': {
        const answer = yield* this.answer(order, at)
        answer.thinking = (answer.thinking ?? '') + text
        break
      }
      case 'agent_message_chunk': {
        const answer = yield* this.answer(order, at)
        answer.text += text
        break
      }
      case 'tool_call': {
        const answer = yield* this.answer(order, at)
        const tool =
          words(object(object(update._meta)?.['x.ai/tool'])?.name) ?? words(update.title) ?? 'unknown'
        answer.toolCalls ??= []
        answer.toolCalls.push({ id: string(update.toolCallId) ?? '', tool, args: update.rawInput })
        break
      }
      case 'tool_call_update':
        if (update.status !== 'completed' && update.status !== 'failed') break
        yield* this.close()
        yield toolMessage(update, order, at)
        break
      case 'turn_completed':
        if (this.open?.role === 'assistant') {
          this.open.usage = usageOf(object(update.usage))
          this.open.model = Object.keys(object(object(update.usage)?.modelUsage) ?? {})[0]
          if (update.stop_reason === 'cancelled') this.open.outcome = 'cancelled'
        }
        yield* this.close()
        break
      default:
        break
    }
  }

  *answer(order: number, at: number | undefined): Generator<Message, Message> {
    if (this.open?.role !== 'assistant') yield* this.close()
    this.open ??= { id: `at-${order}`, order, role: 'assistant', kind: 'answer', createdAt: at, text: '' }
    return this.open
  }

  *close(): Generator<Message> {
    const { open } = this
    this.open = undefined
    if (open && isSaid(open)) yield open
  }

  /** Reminders are put in as if typed, and hidden; the prompt of a sub-agent is its parent's. */
  kindOf(meta: Json | undefined): Message['kind'] {
    if (meta?.hideFromScrollback === true) return 'injected'
    return this.chat.subagent ? 'delegated' : 'request'
  }
}

function toolMessage(update: Json, order: number, createdAt: number | undefined): Message {
  const callId = string(update.toolCallId) ?? ''
  const said = objects(update.content).flatMap((part) => words(object(part.content)?.text) ?? [])
  const text = said.length > 0 ? said.join('\n') : plain(update.rawOutput)
  const result = update.status === 'failed' ? { callId, error: text || 'failed' } : { callId, text }
  return { id: `at-${order}`, order, role: 'tool', kind: 'tool', createdAt, text: '', toolResults: [result] }
}

/** Of a whole turn. `inputTokens` counts what came from the cache. */
function usageOf(usage: Json | undefined): Usage | undefined {
  const input = number(usage?.inputTokens)
  if (!usage || input === undefined) return undefined
  const ticks = number(usage.costUsdTicks)
  return {
    input,
    output: number(usage.outputTokens),
    cached: number(usage.cachedReadTokens),
    cacheWrite: number(usage.cacheCreationTokens),
    reasoning: number(usage.reasoningTokens),
    ...(ticks !== undefined && { cost: ticks / 1e10 }),
  }
}
