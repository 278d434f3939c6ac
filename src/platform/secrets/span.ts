/** A secret in a text. */
export interface Span {
  from: number
  to: number
  /** What it is called where it was: `GitHub token`. */
  kind: string
}

/** What is looked for at a word of the text: the secret that the word leads to, if there is one. */
export interface Rule {
  /** Noticed whatever its letters' case. */
  literal: string
  find(text: string, from: number, to: number): Span | undefined
}
