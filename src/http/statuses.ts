/** Every error has a code, and every code a status. The texts are for people. */
const CODES = {
  400: [
    'INVALID_ARGUMENT',
    'INVALID_CONFIG',
    'INVALID_INDEX',
    'INVALID_INPUT',
    'INVALID_JSON',
    'INVALID_KEY',
    'INVALID_PATH',
    'INVALID_PRICES',
    'INVALID_QUERY',
    'APPROVAL_REFUSED',
    'CONTEXT_TOO_LONG',
    'EMBEDDINGS_FAILED',
    'HUB_INSECURE',
    'HUB_WRONG_PHRASE',
    'SESSION_TOO_LONG',
    'UNKNOWN_MODEL',

    'UNKNOWN_PROVIDER',
    'UNSUPPORTED_PARAMETER',
    'TOO_LONG',
    'UNSAFE_COMMAND',
  ],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN'],
  404: [
    'NOT_FOUND',
    'NO_SESSIONS',
    'NO_BACKUP',
    'NOTHING_TO_EXPORT',
    'APPROVAL_NOT_FOUND',
    'CHAT_DATA_NOT_FOUND',
    'CONTEXT_NOT_FOUND',
    'DIALOG_NOT_FOUND',
    'FILE_NOT_FOUND',
    'FIRST_REQUEST_NOT_FOUND',
    'HUB_NOT_JOINED',
    'MESSAGE_NOT_FOUND',
    'SERVER_NOT_FOUND',
    'SESSION_NOT_FOUND',
    'TOKEN_NOT_FOUND',
    'UNKNOWN_CAPABILITY',
    'WORKSPACE_NOT_FOUND',
  ],
  409: [
    'CONFLICT',
    'AMBIGUOUS_ID',
    'FILE_EXISTS',
    'HUB_JOINED',
    'HUB_NO_PHRASE',
    'HUB_OTHER',
    'TOKEN_EXISTS',
    'SAMPLE_ARCHIVE',
    'APPROVALS_PENDING',
    'NOT_PAUSED',
    'SESSION_BUSY',
    'STILL_THERE',
    'NOT_REVIVABLE',
  ],
  413: ['TOO_LARGE'],
  429: ['TOO_MANY_REQUESTS', 'RATE_LIMITED'],
  500: ['UNEXPECTED', 'MAX_TOOL_ITERATIONS', 'EXPORT_ERROR', 'READ_ERROR', 'WRITE_ERROR', 'REPAIR_FAILED'],
  502: ['WRONG_KEY', 'PROVIDER_ERROR', 'CONNECTION_LOST'],
  503: [
    'ARCHIVE_BUSY',
    'ARCHIVE_DAMAGED',
    'BACKUP_DAMAGED',
    'ARCHIVE_TOO_NEW',
    'ARCHIVE_UNAVAILABLE',
    'ARCHIVE_UNWRITABLE',
    'ARCHIVE_READ_ONLY',
    'ARCHIVE_GONE',
    'DISK_FAILED',
    'DISK_FULL',
    'HUB_DOWN',
    'HUB_FAILED',
    'HUB_NEWER',
    'HUB_NOT_SET_UP',
    'HUB_REFUSED',
    'LEASE_LOST',
    'NO_KEY',
    'NO_MODEL',
    'NO_PROVIDER',
    'OVERLOADED',
    'UNREACHABLE',
  ],
}

const STATUSES = new Map(
  Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

/** One that nobody gave a status is a failure of ours. */
export function statusOf(code: string): number {
  return STATUSES.get(code) ?? 500
}

export function hasStatus(code: string): boolean {
  return STATUSES.has(code)
}
