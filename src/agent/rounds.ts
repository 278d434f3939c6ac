import type { Usage } from '../model/chat.ts'
import type { Call, EventOf, RunEvent } from './run-event.ts'

/** One answer of the model, and what became of its calls. */
export interface Round {
  answer: EventOf<'answer'>
  results: Map<string, EventOf<'result'>>
  approvals: Map<string, EventOf<'approval'>>
  begun: Set<string>
}

/** Requests and answers in order. */
export function roundsIn(events: RunEvent[]): (EventOf<'request'> | Round)[] {
  const entries: (EventOf<'request'> | Round)[] = []
  let round: Round | undefined
  for (const event of events) {
    if (event.type === 'request') entries.push(event)
    else if (event.type === 'answer') {
      round = { answer: event, results: new Map(), approvals: new Map(), begun: new Set() }
      entries.push(round)
    } else if (event.type === 'result') round?.results.set(event.callId, event)
    else if (event.type === 'begun') round?.begun.add(event.callId)
    else if (event.type === 'approval') round?.approvals.set(event.callId, event)
  }
  return entries
}

/** The last request, and every answer since. */
export function currentTurn(
  events: RunEvent[],
): { request: EventOf<'request'>; rounds: Round[] } | undefined {
  const at = events.findLastIndex((event) => event.type === 'request')
  const [request, ...rounds] = at < 0 ? [] : roundsIn(events.slice(at))
  if (!request || !('text' in request)) return undefined
  return { request, rounds: rounds.filter((entry): entry is Round => 'answer' in entry) }
}

/** Calls that wait for their result, with the round they belong to. */
export function openCalls(events: RunEvent[]): { round: Round; calls: Call[] } | undefined {
  const round = currentTurn(events)?.rounds.at(-1)
  const calls = round?.answer.calls?.filter((call) => !round.results.has(call.id)) ?? []
  return round && calls.length > 0 ? { round, calls } : undefined
}

export function decisionsIn(events: RunEvent[]): Map<string, EventOf<'decision'>> {
  const found = new Map<string, EventOf<'decision'>>()
  for (const event of events)
    if (event.type === 'decision' && !found.has(event.id)) found.set(event.id, event)
  return found
}

export function sumOf(usages: Usage[]): Usage {
  const sum: Usage = {}
  for (const usage of usages) {
    for (const key of ['input', 'output', 'cached', 'cacheWrite', 'reasoning', 'cost'] as const) {
      const value = usage[key]
      if (value !== undefined) sum[key] = (sum[key] ?? 0) + value
    }
  }
  return sum
}
