import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { statusOf } from './statuses.ts'

/** What went wrong, for a program and for a person: `{ error: { code, message, hint?, … } }`. */
export interface Failure {
  status: number
  code: string
  message: string
  hint?: string
  details?: Record<string, unknown>
}

export function failureOf(error: unknown): Failure {
  if (error instanceof z.ZodError) {
    const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
    return { status: 400, code: 'INVALID_INPUT', message: z.prettifyError(error), details: { issues } }
  }
  if (error instanceof RecollectError) {
    const { code, message, hint, details } = error
    return { status: statusOf(code), code, message, hint, details }
  }
  const message = error instanceof Error ? error.message : String(error)
  // SQLite's own, of a statement that could not wait any longer.
  if (error instanceof Error && 'errcode' in error)
    return {
      status: 503,
      code: 'ARCHIVE_UNAVAILABLE',
      message: 'Service temporarily unavailable',
      hint: message,
    }
  log('error', error instanceof Error ? (error.stack ?? message) : message)
  return { status: 500, code: 'UNEXPECTED', message, hint: '`recollect doctor` checks the archive.' }
}

export function failed({ status, code, message, hint, details }: Failure, headers = {}): Response {
  return Response.json({ error: { code, message, hint, ...details } }, { status, headers })
}
