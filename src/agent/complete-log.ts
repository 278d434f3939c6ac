import { interrupted } from './calls.ts'
import { openCalls } from './rounds.ts'
import type { RunEvent } from './run-event.ts'
import type { RunLog } from './runs.ts'

/**
 * Brings a dialog in order before it goes on: what a killed process was saying is kept as far as it
 * came, and calls that never got their result get one, for a model must hear of each.
 */
export function completeLog(log: RunLog): void {
  const said = unfinished(log.events)
  if (said) log.append({ type: 'answer', ...said, model: modelIn(log.events), outcome: 'failed' })
  const { calls = [], round } = openCalls(log.events) ?? {}
  for (const call of calls) {
    const { id: callId, server, tool } = call
    const text = round?.begun.has(callId)
      ? `Error: ${interrupted(call)}`
      : 'Error: Not executed: it was interrupted, or the person went on without deciding.'
    log.append({ type: 'result', callId, server, tool, ok: false, text })
  }
  const last = log.events.at(-1)
  if (last && last.type !== 'end' && last.type !== 'session') log.append({ type: 'end', status: 'failed' })
}

/** What was being said when the writing ended. */
export function unfinished(events: RunEvent[]): { id: string; text: string; thinking?: string } | undefined {
  const id = events.findLast((event) => event.type === 'piece')?.id
  if (id === undefined || events.some((event) => event.type === 'answer' && event.id === id)) return undefined
  const pieces = events.filter((event) => event.type === 'piece' && event.id === id)
  const joined = (field: 'text' | 'thinking') =>
    pieces.map((piece) => (piece.type === 'piece' ? (piece[field] ?? '') : '')).join('')
  return { id, text: joined('text'), thinking: joined('thinking') || undefined }
}

function modelIn(events: RunEvent[]): string {
  const request = events.findLast((event) => event.type === 'request')
  return request?.type === 'request' ? request.model : ''
}
