import { RecollectError } from '../model/errors.ts'
import { type Address, shownAddress } from './address.ts'

/** What a server or the way to it can be wrong with, each with a code, a sentence and a next step. */
export function troubleOf(error: unknown, address: Address): RecollectError {
  if (error instanceof RecollectError) return error
  const { code = '', message, detail } = error as { code?: string; message: string; detail?: string }
  const known = KNOWN.find(({ when }) => when(code, message, detail))
  const where = shownAddress(address)
  if (!known)
    return new RecollectError('HUB_FAILED', `The hub at ${where} said: ${message}.`, LATER, { sql: code })
  return new RecollectError(known.code, known.says(where, message), known.next, { sql: code })
}

/** Whether to come back later: what else would not change by itself. */
export function isPassing({ code }: { code?: string }): boolean {
  return code !== undefined && PASSING.has(code)
}

/** Whether the server does not answer, or takes nobody in now. */
export function isUnreachable({ code }: { code?: string }): boolean {
  return ['HUB_DOWN', 'HUB_SLOW', 'HUB_STARTING', 'HUB_FULL'].includes(code ?? '')
}

const LATER =
  'Nothing is lost: your archive works as before, and what waits is sent when the hub is back. `recollect hub status` says more.'

const PASSING = new Set([
  'HUB_DOWN',
  'HUB_SLOW',
  'HUB_FAILED',
  'HUB_STARTING',
  'HUB_FULL',
  'HUB_READ_ONLY',
  'HUB_FENCED',
  'HUB_MOVED',
])

interface Known {
  when: (code: string, message: string, detail: string | undefined) => boolean
  code: string
  says: (where: string, message: string) => string
  next: string
}

const KNOWN: Known[] = [
  {
    when: (_, __, detail) => detail === 'revoked',
    code: 'HUB_REVOKED',
    says: (where) => `This machine was locked out of the hub at ${where}.`,
    next: 'Ask who runs the hub for a new invitation, or leave it: recollect hub leave.',
  },
  {
    when: (code, _, detail) => detail === 'unknown' || code === '28P01' || code === '28000',
    code: 'HUB_UNKNOWN_LOGIN',
    says: (where) => `The hub at ${where} does not know this machine's login.`,
    next: 'An invitation can be used once. Ask for a new one, and join with it: recollect hub join <invitation>.',
  },
  {
    when: (_, __, detail) => detail === 'fence',
    code: 'HUB_FENCED',
    says: () => 'Another session of this machine took over.',
    next: LATER,
  },
  {
    when: (_, __, detail) => detail === 'moved',
    code: 'HUB_MOVED',
    says: () => 'The space was moved to another database.',
    next: 'It is followed there with the next exchange. What waits is kept, and sent then.',
  },
  {
    when: (code) => code === '42501',
    code: 'HUB_REFUSED',
    says: (where, message) => `The hub at ${where} refused: ${message}.`,
    next: 'Ask who runs the hub for the right to do it.',
  },
  {
    when: (code) => ['3D000', '3F000', '42883', '42P01'].includes(code),
    code: 'HUB_NOT_SET_UP',
    says: (where, message) => `There is no hub at ${where}, or one of another version: ${message}.`,
    next: 'Whoever runs it sets it up, or brings it up to date: recollect hub init <url>.',
  },
  {
    when: (code) => code === '25006',
    code: 'HUB_READ_ONLY',
    says: (where) => `The server at ${where} takes no changes now: it is read-only.`,
    next: LATER,
  },
  {
    when: (code) => code === '53100' || code === '53400' || code === '54000',
    code: 'HUB_FULL',
    says: (where) => `The server at ${where} has no room left.`,
    next: `Who runs it must make room. ${LATER}`,
  },
  {
    when: (code) => code === '53300',
    code: 'HUB_FULL',
    says: (where) => `The server at ${where} takes no more connections now.`,
    next: LATER,
  },
  {
    when: (code) => code === '57P03',
    code: 'HUB_STARTING',
    says: (where) => `The server at ${where} is starting up or shutting down.`,
    next: LATER,
  },
  {
    when: (code, message) => code === '57014' || code === '55P03' || /timeout|timed out/i.test(message),
    code: 'HUB_SLOW',
    says: (where) => `The server at ${where} did not answer in time.`,
    next: LATER,
  },
  {
    when: (code, message) =>
      /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code) || /certificate|does not support SSL/i.test(message),
    code: 'HUB_INSECURE',
    says: (where, message) => `The server at ${where} cannot prove who it is: ${message}.`,
    next: 'Switch TLS on at the server, with a certificate for the name you use; name its authority with --ca <file>.',
  },
  {
    when: (code, message) =>
      /^(ECONN|ENOTFOUND|EHOST|ENET|EPIPE|EAI_|ENOENT|EACCES|ETIMEDOUT|57P0|08)/.test(code) ||
      /terminated|closed|not queryable|ended/i.test(message),
    code: 'HUB_DOWN',
    says: (where, message) => `The hub at ${where} cannot be reached (${message || 'no connection'}).`,
    next: LATER,
  },
]
