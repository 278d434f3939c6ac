import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'

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

const STATUSES = new Map(
  Object.entries({
    401: ['UNAUTHORIZED'],
    403: ['FORBIDDEN'],
    404: ['NOT_FOUND', 'NO_SESSIONS', 'NOTHING_TO_EXPORT'],
    409: [
      'CONFLICT',
      'AMBIGUOUS_ID',
      'FILE_EXISTS',
      'TOKEN_EXISTS',
      'SAMPLE_ARCHIVE',
      'APPROVALS_PENDING',
      'NOT_PAUSED',
      'SESSION_BUSY',
    ],
    413: ['TOO_LARGE'],
    429: ['TOO_MANY_REQUESTS', 'RATE_LIMITED'],
    500: ['MAX_TOOL_ITERATIONS'],
    502: ['WRONG_KEY', 'PROVIDER_ERROR', 'CONNECTION_LOST'],
    503: ['DISK_FULL', 'NO_KEY', 'NO_MODEL', 'NO_PROVIDER', 'UNREACHABLE', 'OVERLOADED'],
  }).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

function statusOf(code: string): number {
  const known = STATUSES.get(code)
  if (known !== undefined) return known
  if (code.endsWith('_NOT_FOUND')) return 404
  if (code.startsWith('ARCHIVE_')) return 503
  return code.endsWith('_ERROR') ? 500 : 400
}
