import type { EventOf, RunEvent } from './run-event.ts'

/** What of a dialog its model is told: what was put in short, and what is told as it was. */
export interface Compacted {
  summary?: string
  /** The first request that is told as it was. */
  upTo?: string
  kept: RunEvent[]
  shortened: Set<string>
  isShort(result: EventOf<'result'>): boolean
}

export function compactedIn(events: RunEvent[]): Compacted {
  const last = events.findLast((event) => event.type === 'compacted')
  const shortened = new Set(last?.shortened)
  const at = events.findIndex(
    (event) => event.type === 'request' && event.id === last?.upTo && last.upTo !== undefined,
  )
  return {
    ...(last?.text && { summary: last.text }),
    upTo: last?.upTo,
    kept: at > 0 ? events.slice(at) : events,
    shortened,
    isShort: ({ callId }) => shortened.has(callId),
  }
}

const SHORT = 400

/** The beginning of a result that the model has read before. */
export function shortened(text: string): string {
  return `${text.slice(0, SHORT).toWellFormed()}\n[shortened: ${text.length - SHORT} more characters were read before; call the tool again if they are needed]`
}
