import type { Span } from './span.ts'

/** Shorter texts hold no secret. */
export const SHORTEST = 8

export function without(text: string, spans: Span[]): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const { from, to, kind } of spans) {
    result += `${text.slice(at, from)}[redacted: ${kind}]`
    at = to
  }
  return result + text.slice(at)
}
