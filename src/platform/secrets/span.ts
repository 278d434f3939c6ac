/** A secret in a text. */
export interface Span {
  from: number
  to: number
  /** What it is called where it was: `GitHub token`. */
  kind: string
}

/** What is looked for at a word of the text: the secrets that the word leads to, if there are some. */
export interface Rule {
  /** Noticed whatever its letters' case. */
  literal: string
  find(text: string, from: number, to: number): Span | Span[] | undefined
}

/** What only says that it is one; the name of a maker says more. */
const LOOSE = new Set(['password', 'secret', 'token', 'authorization'])

/** From left to right; where two overlap, one from the beginning of the first to the end of the last. */
export function joined(spans: Span[]): Span[] {
  spans.sort((a, b) => a.from - b.from || b.to - a.to)
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.from < last.to) {
      last.to = Math.max(last.to, span.to)
      if (LOOSE.has(last.kind)) last.kind = span.kind
    } else result.push({ ...span })
  }
  return result
}
