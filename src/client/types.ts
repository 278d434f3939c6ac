import type { Answers } from './generated/answers.ts'
import type { Inputs } from './generated/inputs.ts'

export type { Answers, Inputs }

export type CapabilityName = keyof Inputs

/** One method for each capability; what goes wrong is thrown as a `Problem`. */
export type Client = {
  [N in CapabilityName]: (
    input: Inputs[N],
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Answers[N]>
}

export interface ClientOptions {
  /** Where `recollect serve` listens, e.g. http://127.0.0.1:3940 */
  url: string
  /** Of `recollect token create`. */
  token: string
  fetch?: typeof fetch
}

/** An error with what to do next. */
export interface Problem extends Error {
  code: string
  /** Of HTTP. */
  status: number
  hint?: string | undefined
}
