import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { redactJson } from '../platform/redact.ts'
import type { Caller } from './caller.ts'
import { QUOTED } from './quote.ts'
import { worded } from './wording.ts'

/** What went wrong, for a program (`code`) and for whoever reads it: a sentence and what to do next. */
export interface Failure {
  code: string
  message: string
  hint?: string
  /** What else a program may want to know, e.g. the candidates of an ambiguous id. */
  details?: Record<string, unknown>
}

/** Arguments that cannot be meant: the protocol's own error where it has one. */
export const MALFORMED = 'INVALID_INPUT'
export const UNKNOWN_CAPABILITY = 'UNKNOWN_CAPABILITY'

/** The answer, or the failure as an error, for who would rather catch it. */
export function orThrow<A>(
  outcome: { answer: A; failure?: undefined } | { failure: Failure; answer?: undefined },
): A {
  if (outcome.failure === undefined) return outcome.answer
  const { code, message, hint, details } = outcome.failure
  const error = new RecollectError(code, message, hint, details)
  said.add(error)
  throw error
}

/** Errors that are in the words of their caller already, with what they may see. */
const said = new WeakSet<Error>()

/** An error in the words of this caller. */
export function failureOf(error: unknown, caller: Pick<Caller, 'kind' | 'reveal'>): Failure {
  if (error instanceof RecollectError && said.has(error)) return partsOf(error)
  const failure = failureFor(error, caller)
  // The titles of chats that an id may be of.
  if (caller.kind === 'agent' && failure.details?.candidates)
    failure.details = { quoted: QUOTED, ...failure.details }
  // Errors name chats, and a title may hold anything.
  return brief(caller.kind === 'owner' && caller.reveal ? failure : redactJson(failure))
}

/** Longer than any list of ids that were not found. */
const LONGEST = 2_000

/** Who sent an endless argument need not get it back. */
function brief<T>(value: T): T {
  if (typeof value === 'string')
    return (value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value) as T
  if (Array.isArray(value)) return value.map(brief) as T
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, brief(each)])) as T
}

function partsOf({ code, message, hint, details }: RecollectError): Failure {
  return { code, message, ...(hint && { hint }), ...(details && { details }) }
}

function failureFor(error: unknown, { kind }: Pick<Caller, 'kind'>): Failure {
  if (error instanceof RecollectError) {
    const { code, message, hint, details } = error
    const next = hint && worded(hint, kind)
    return { code, message, ...(next && { hint: next }), ...(details && { details }) }
  }
  const message = error instanceof Error ? error.message : String(error)
  // Who asked wanted it to stop: no fault to be logged.
  if (error instanceof Error && error.name === 'AbortError')
    return { code: 'CANCELLED', message: 'The call was cancelled.' }
  // SQLite's own, of a statement that could not wait any longer.
  if (error instanceof Error && 'errcode' in error)
    return {
      code: 'ARCHIVE_UNAVAILABLE',
      message: 'Service temporarily unavailable',
      hint: `Try again in a moment (${message}).`,
    }
  log('error', error instanceof Error ? (error.stack ?? message) : message)
  return { code: 'UNEXPECTED', message, hint: HINTS[kind] }
}

const HINTS: Record<Caller['kind'], string> = {
  owner: '`recollect doctor` checks the archive.',
  agent: 'Try again; if it stays so, tell the user that the archive may need to be checked.',
  program: 'Try again; if it stays so, the owner can have the archive checked.',
}
