import { RecollectError } from '../model/errors.ts'
import { worded } from '../service/wording.ts'
import { paint } from './paint.ts'

/** What the command's exit code says (docs/terminal.md lists them). */
export const EXIT = { found: 0, notFound: 1, usage: 2, failed: 3, interrupted: 130 } as const

const NOT_FOUND = new Set([
  'SESSION_NOT_FOUND',
  'NO_SESSIONS',
  'NO_BACKUP',
  'NOTHING_TO_EXPORT',
  'FILE_NOT_FOUND',
  'CONTEXT_NOT_FOUND',
  'NOT_FOUND',
  'TOKEN_NOT_FOUND',
  'SERVER_NOT_FOUND',
])
const USAGE = new Set([
  'INVALID_QUERY',
  'INVALID_ARGUMENT',
  'INVALID_INPUT',
  'INVALID_CONFIG',
  'INVALID_KEY',
  'INVALID_PATH',
  'INVALID_PRICES',
  'AMBIGUOUS_ID',
  'NO_KEY',
  'NO_MODEL',
  'NO_PROVIDER',
  'UNKNOWN_PROVIDER',
  'UNKNOWN_IMPORT',
])

const NO_ROOM = 'Free some space and try again; nothing was lost.'
const NO_ACCESS = 'Check the permissions of that folder, or choose another one.'
const DISK: Record<string, [code: string, hint: string]> = {
  ENOSPC: ['DISK_FULL', NO_ROOM],
  EDQUOT: ['DISK_FULL', NO_ROOM],
  EIO: ['DISK_FAILED', 'Nothing that was there is lost. Check the disk, then try again.'],
  EACCES: ['WRITE_ERROR', NO_ACCESS],
  EPERM: ['WRITE_ERROR', NO_ACCESS],
  EROFS: ['WRITE_ERROR', NO_ACCESS],
}

/** What the system says of a disk that is full or fails, or of a folder that is not the user's. */
function diskProblem(error: unknown): RecollectError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  const [known, hint] = DISK[code] ?? []
  return known ? new RecollectError(known, message, hint) : undefined
}

/** Says what went wrong and what to do next, and sets the exit code. */
export function fail(error: unknown, json = false): void {
  if (error instanceof Error && error.name === 'AbortError') {
    process.exitCode = EXIT.interrupted
    return
  }
  const known = error instanceof RecollectError ? error : diskProblem(error)
  process.exitCode =
    known && NOT_FOUND.has(known.code)
      ? EXIT.notFound
      : known && USAGE.has(known.code)
        ? EXIT.usage
        : EXIT.failed
  const message = known?.message ?? (error instanceof Error ? error.message : String(error))
  const hint = known?.hint && worded(known.hint, 'owner')
  if (json) {
    const { code = 'UNEXPECTED', details } = known ?? {}
    process.stdout.write(`${JSON.stringify({ error: { code, message, hint, ...details } })}\n`)
    return
  }
  process.stderr.write(`${paint(process.stderr).red('error:')} ${message}\n`)
  if (hint) process.stderr.write(`${hint}\n`)
  if (!known && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`)
}
