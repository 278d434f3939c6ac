import { redact, redactJson } from '../platform/redact.ts'
import type { Prices } from '../recall/prices.ts'
import { priced } from './accounting.ts'
import type { FollowedEvent } from './agent.ts'
import { approvalFrom } from './approvals.ts'
import { MaskedSpeech } from './masked-speech.ts'
import { questionFrom } from './questions.ts'
import { resultOf } from './result.ts'
import type { EventOf, RunEvent } from './run-event.ts'

/**
 * What happened in a dialog as it is told to whoever follows it, line by line of its file: the same at
 * each reading, so that who was away goes on where they were.
 */
export class EventReplay {
  readonly #id: string
  readonly #prices: Prices
  readonly #events: RunEvent[] = []
  /** What was told of an answer while it was being given. */
  readonly #said = new Map<string, { text: MaskedSpeech; thinking: MaskedSpeech }>()
  #request: EventOf<'request'> | undefined
  #answers = 0

  constructor(id: string, prices: Prices) {
    this.#id = id
    this.#prices = prices
  }

  /** `isWhole`: the answer that a piece belongs to is known already, and is told instead. */
  take(event: RunEvent, isWhole = false): (FollowedEvent | undefined)[] {
    if (event.type !== 'piece') this.#events.push(event)
    switch (event.type) {
      case 'request':
        return this.#asked(event)
      case 'piece':
        return isWhole ? [] : this.#piece(event)
      case 'answer':
        return this.#answered(event)
      case 'result': {
        const { callId: id, tool, ok: success, text, durationMs = 0 } = event
        return [{ type: 'tool-result', id, tool, success, result: redact(text), durationMs }]
      }
      case 'approval':
        return [{ type: 'approval', approval: redactJson(approvalFrom(event)) }]
      case 'decision': {
        const asked = this.#events.find((each) => each.type === 'approval' && each.id === event.id)
        if (asked?.type !== 'approval') return []
        return [{ type: 'approval', approval: redactJson(approvalFrom(asked, event)) }]
      }
      case 'question':
        return [{ type: 'question', question: redactJson(questionFrom(event)) }]
      case 'answered': {
        const asked = this.#events.find((each) => each.type === 'question' && each.id === event.id)
        if (asked?.type !== 'question') return []
        return [{ type: 'question', question: redactJson(questionFrom(asked, event.action)) }]
      }
      case 'notice':
        return [{ type: 'notice', text: redact(event.text) }]
      case 'end':
        return this.#ended(event)
      default:
        return []
    }
  }

  /** Its process is gone, and it never said how it ended. */
  broken(): FollowedEvent {
    return {
      type: 'error',
      code: 'INTERRUPTED',
      message: 'The process that was answering ended before the answer did.',
      hint: 'What it said is kept. Ask again in the same chat.',
      sessionId: this.#id,
    }
  }

  #asked(event: EventOf<'request'>): FollowedEvent[] {
    this.#request = event
    const { id, text, attachments = [], provider, model, given, settings } = event
    const attached = attachments.map(({ name, mimeType }) => ({ name, mimeType }))
    const told: FollowedEvent = {
      type: 'request',
      id,
      text: redact(text),
      attachments: attached,
      ...(settings?.json && { json: true }),
    }
    if (given) return [told]
    return [told, { type: 'start', sessionId: this.#id, provider, model, answers: this.#answers }]
  }

  #piece({ id, text = '', thinking = '' }: EventOf<'piece'>): FollowedEvent[] {
    const said = this.#saidOf(id)
    const told = { thinking: said.thinking.add(thinking), text: said.text.add(text) }
    return [
      ...(told.thinking ? [{ type: 'thinking' as const, text: told.thinking }] : []),
      ...(told.text ? [{ type: 'text' as const, text: told.text }] : []),
    ]
  }

  #saidOf(id: string) {
    const said = this.#said.get(id) ?? { text: new MaskedSpeech(), thinking: new MaskedSpeech() }
    this.#said.set(id, said)
    return said
  }

  /** Each has its place in the row, whether it is there or not. */
  #answered(event: EventOf<'answer'>): (FollowedEvent | undefined)[] {
    const { id, calls = [], usage = {}, model, latencyMs = 0, finish, outcome, given } = event
    this.#answers++
    const said = this.#saidOf(id)
    const text = said.text.rest(event.text)
    const thinking = said.thinking.rest(event.thinking ?? '')
    const isOver = outcome !== undefined || given
    const step = {
      type: 'step' as const,
      usage: priced(usage, model, this.#prices),
      latencyMs,
      finish: finish ?? (calls.length > 0 ? ('tool-calls' as const) : ('stop' as const)),
    }
    return [
      thinking ? { type: 'thinking', text: thinking } : undefined,
      text ? { type: 'text', text } : undefined,
      isOver ? undefined : step,
      ...calls.map(({ id: callId, name, server = '', args }) => ({
        type: 'tool-call' as const,
        id: callId,
        tool: name,
        server,
        args: redactJson(args),
      })),
    ]
  }

  #ended({ status, error }: EventOf<'end'>): FollowedEvent[] {
    if (status === 'failed' && error)
      return [{ type: 'error', ...error, message: redact(error.message), sessionId: this.#id }]
    if (status === 'failed') return [this.broken()]
    if (status === 'cancelled') return [{ type: 'stopped', sessionId: this.#id }]
    const request = this.#request
    if (!request) return []
    const log = { id: this.#id, events: this.#events }
    const result = resultOf({ log, request, provider: { id: request.provider } }, this.#prices, status)
    return [{ type: 'done', result: redactJson(result) }]
  }
}
