/** An error meant for the person or agent who asked: what went wrong, and what to do next. */
export class RecollectError extends Error {
  readonly code: string
  readonly hint: string | undefined
  /** What else a program may want to know, e.g. the candidates of an ambiguous id. */
  readonly details: Record<string, unknown> | undefined

  constructor(code: string, message: string, hint?: string, details?: Record<string, unknown>) {
    super(message)
    this.name = 'RecollectError'
    this.code = code
    this.hint = hint
    this.details = details
  }
}
