import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { redactJson } from '../platform/redact.ts'
import type { Caller } from './caller.ts'

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
  throw new RecollectError(code, message, hint, details)
}

/** An error in the words of this caller. */
export function failureOf(error: unknown, caller: Caller): Failure {
  const failure = told(error, caller)
  // Errors name chats, and a title may hold anything.
  return caller.kind === 'owner' && caller.reveal ? failure : redactJson(failure)
}

function told(error: unknown, caller: Caller): Failure {
  if (error instanceof RecollectError) {
    const { code, message, hint, details } = error
    const said = hint && worded(hint, caller.kind)
    return { code, message, ...(said && { hint: said }), ...(details && { details }) }
  }
  const message = error instanceof Error ? error.message : String(error)
  // SQLite's own, of a statement that could not wait any longer.
  if (error instanceof Error && 'errcode' in error)
    return { code: 'ARCHIVE_UNAVAILABLE', message: 'Service temporarily unavailable', hint: message }
  log('error', error instanceof Error ? (error.stack ?? message) : message)
  return { code: 'UNEXPECTED', message, hint: HINTS[caller.kind] }
}

/** The same advice for who has commands and for who has tools. */
const WORDINGS: [said: RegExp, owner: string, others: string][] = [
  [
    /Call init_context \(`recollect context init`\) to start one\./,
    'Start one with `recollect context init`.',
    'Call `init_context` to start one.',
  ],
  [
    /list_chats and search_conversations give ids of chats\./,
    '`recollect list` and `recollect search` give ids of chats.',
    '`list_chats` and `search_conversations` give ids of chats.',
  ],
  [
    /`recollect list` shows the ids; `recollect sync` reads what is new\./,
    '`recollect list` shows the ids; `recollect sync` reads what is new.',
    '`list_chats` and `search_conversations` give ids of chats.',
  ],
  [/`?(?:recollect list|list_chats)`? shows/, '`recollect list` shows', '`list_chats` shows'],
  [
    /Run `recollect sync` to read the chats on this machine\./,
    'Run `recollect sync` to read the chats on this machine.',
    'Chats are read by themselves while Recollect runs: try again in a moment.',
  ],
  [
    /Give chatIds, a query, or a source, workspace or time_window\./,
    'Give ids of chats, --query, --source, --workspace or --since.',
    'Give chatIds, a query, or a source, workspace or time_window.',
  ],
  [/Name another one with `from`\./, 'Name another one with --from.', 'Name another one with `from`.'],
  [/`recollect context archive`/, '`recollect context archive`', '`archive_context`'],
]

function worded(hint: string, kind: Caller['kind']): string {
  let text = hint
  for (const [said, owner, others] of WORDINGS) text = text.replace(said, kind === 'owner' ? owner : others)
  return text
}

const HINTS: Record<Caller['kind'], string> = {
  owner: '`recollect doctor` checks the archive.',
  agent: 'Try again; if it stays so, tell the user that `recollect doctor` checks the archive.',
  program: 'Try again; `recollect doctor` checks the archive.',
}
