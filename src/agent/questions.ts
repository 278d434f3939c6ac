import { RecollectError } from '../model/errors.ts'
import type { AgentEvent, Answer, Question } from './agent.ts'
import { checkedContent } from './form.ts'
import type { EventOf } from './run-event.ts'
import type { RunLog } from './runs.ts'
import type { Person } from './tool.ts'

/** A server waits as long as its tool does; a person who does not come in so long is not there. */
const PATIENCE_MS = 30 * 60_000

interface Open {
  question: Question
  take(answer: Answer): void
}

/**
 * What MCP servers ask while their tools run, put to whoever is at the page or asks over REST. That it was asked and
 * how it ended is written down; what was filled in is not: it is for the server alone.
 */
export class Questions {
  readonly #open = new Map<string, Open>()

  /** Whom servers ask in one run. */
  personFor(log: RunLog, tell: (event: AgentEvent) => void, signal: AbortSignal): Person {
    const ask = async (
      asked: Pick<Question, 'kind' | 'server' | 'message' | 'fields'>,
      until?: AbortSignal,
    ) => {
      const number = log.events.filter((event) => event.type === 'question').length + 1
      const event = log.append({ type: 'question', id: `${log.id}.q${number}`, ...asked })
      const question = questionFrom(event)
      tell({ type: 'question', question })
      const answer = await this.#answered(question, until ? AbortSignal.any([signal, until]) : signal)
      log.append({ type: 'answered', id: question.id, action: answer.action })
      tell({ type: 'question', question: { ...question, outcome: answer.action } })
      return answer
    }
    return {
      async fill({ server, message, fields }, until) {
        const { action, content = {} } = await ask({ kind: 'form', server, message, fields }, until)
        if (action === 'accept') return content
        return action === 'decline' ? 'decline' : undefined
      },
      async allowSampling({ server, prompt }, until) {
        const { action } = await ask({ kind: 'sampling', server, message: prompt, fields: [] }, until)
        return action === 'cancel' ? undefined : action === 'accept'
      },
    }
  }

  list(): Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** Throws where nothing waits for it, or where a form is not filled in as it has to be. */
  answer(id: string, { action, content }: Answer): Question {
    const open = this.#open.get(id)
    if (!open)
      throw new RecollectError(
        'QUESTION_NOT_FOUND',
        `Nobody waits for an answer to ${id}.`,
        'It may have been answered already, or the tool that asked has ended.',
      )
    const { question } = open
    const filled =
      action === 'accept' && question.kind === 'form'
        ? checkedContent(question.fields, content ?? {})
        : undefined
    open.take({ action, content: filled })
    return { ...question, outcome: action }
  }

  async #answered(question: Question, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const giveUp = () => resolve({ action: 'cancel' })
    const timer = setTimeout(giveUp, PATIENCE_MS)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    this.#open.set(question.id, { question, take: resolve })
    try {
      return await promise
    } finally {
      this.#open.delete(question.id)
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }
}

export function questionFrom(
  { id, kind, server, message, fields, at }: EventOf<'question'>,
  outcome?: Question['outcome'],
): Question {
  const sessionId = id.slice(0, id.lastIndexOf('.'))
  return { id, sessionId, kind, server, message, fields, askedAt: at, ...(outcome && { outcome }) }
}
