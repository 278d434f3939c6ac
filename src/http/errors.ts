import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import type { Entry } from '../server/guard.ts'
import { MALFORMED, type Failure as Said, failureOf as saidOf } from '../service/failure.ts'
import { statusOf } from './statuses.ts'

/** What went wrong, for a program and for a person: `{ error: { code, message, hint?, … } }`. */
export interface Failure extends Said {
  status: number
}

/** As the gate says it, with the status that its code has. */
export function failureOf(error: unknown, entry: Pick<Entry, 'owner'> | undefined): Failure {
  const known = error instanceof z.ZodError ? malformed(error) : error
  const failure = saidOf(known, { kind: entry?.owner ? 'owner' : 'program' })
  return { status: statusOf(failure.code), ...failure }
}

function malformed(error: z.ZodError): RecollectError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  return new RecollectError(MALFORMED, z.prettifyError(error), undefined, { issues })
}

export function failed({ status, code, message, hint, details }: Failure, headers = {}): Response {
  return Response.json({ error: { code, message, hint, ...details } }, { status, headers })
}
