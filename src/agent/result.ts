import type { Prices } from '../recall/prices.ts'
import { priced } from './accounting.ts'
import type { Finish, RunResult } from './agent.ts'
import { approvalsIn } from './approvals.ts'
import { currentTurn, openCalls, type Round, sumOf } from './rounds.ts'
import type { EventOf, RunEvent } from './run-event.ts'

/** What a run came to, from what was written down. */
export function resultOf(
  {
    log,
    request,
    provider,
  }: {
    log: { id: string; events: RunEvent[] }
    request: EventOf<'request'>
    provider: { id: string }
  },
  prices: Prices,
  status: RunResult['status'],
): RunResult {
  const rounds = ownRounds(currentTurn(log.events)?.rounds)
  const steps = rounds.map(({ answer }) => priced(answer.usage ?? {}, answer.model, prices))
  const asked = log.events.lastIndexOf(request)
  const left = status === 'tools' ? (openCalls(log.events)?.calls ?? []) : []
  return {
    sessionId: log.id,
    status,
    message: rounds.findLast(({ answer }) => answer.text !== '')?.answer.text ?? '',
    finish: finishOf(rounds.at(-1)),
    ...(left.length > 0 && { calls: left.map(({ id, name, args }) => ({ id, name, args })) }),
    toolResults: rounds.flatMap(({ answer: { calls = [] }, results }) =>
      calls.flatMap(({ id, name }) => {
        const result = results.get(id)
        return result ? [{ toolName: name, success: result.ok, result: result.text }] : []
      }),
    ),
    usage: { ...sumOf(steps), steps: rounds.length },
    provider: provider.id,
    model: request.model,
    approvals: status === 'paused' ? approvalsIn(log.events) : [],
    notices: log.events
      .slice(Math.max(0, asked))
      .flatMap((event) => (event.type === 'notice' ? [event.text] : [])),
  }
}

/** Without those that happened elsewhere, before the dialog came here. */
export function ownRounds(rounds: Round[] = []): Round[] {
  return rounds.filter(({ answer }) => !answer.given)
}

function finishOf(round: Round | undefined): Finish {
  if (!round) return 'stop'
  const { finish, calls = [] } = round.answer
  return finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
}
