import { looksDrawn } from './chance.ts'
import type { Rule, Span } from './span.ts'
import { isSecretValue } from './values.ts'

/** Places of which the grammar says that a secret is there: `curl -u`, `://user:…@`, `IDENTIFIED BY`. */
type Check = 'any' | 'password' | 'drawn'

export interface Place {
  kind: string
  /** The words by which it is noticed, each. */
  at: string[]
  /** Read from the end of the word on; the group `secret` is the one. */
  reads: RegExp
  check: Check
  /** What must be before it on its line. */
  behind?: RegExp
}

export const Q = `["'\`]?`
export const place = (
  kind: string,
  at: string | string[],
  reads: RegExp,
  check: Check = 'password',
  behind?: RegExp,
): Place => ({
  kind,
  at: Array.isArray(at) ? at : [at],
  // Sticky, and with the places of groups.
  reads: new RegExp(reads.source.replace(/^\^/, ''), `${reads.flags}dy`),
  check,
  ...(behind && { behind }),
})
export const flag = (tools: string | string[], flags: string): Place =>
  place('password', tools, new RegExp(`^(?:[^\\n]{0,200}?\\s)?(?:${flags})${Q}(?<secret>[^\\s"'\`]{4,128})`))

export function rulesOf(place: Place): Rule[] {
  return place.at.map((literal) => ({
    literal,
    find: (text: string, from: number, to: number) => secretIn(place, text, from, to),
  }))
}

function secretIn(
  { kind, reads, check, behind }: Place,
  text: string,
  start: number,
  to: number,
): Span | undefined {
  if (behind) {
    const line = text.slice(Math.max(0, start - 300), start)
    if (!behind.test(line.slice(line.lastIndexOf('\n') + 1))) return undefined
  }
  reads.lastIndex = to
  const found = reads.exec(text)
  const { secret, user } = found?.groups ?? {}
  const [from = 0, end = 0] = found?.indices?.groups?.secret ?? []
  return secret && passes(check, secret, user) ? { from, to: end, kind } : undefined
}

function passes(check: Check, secret: string, user: string | undefined): boolean {
  const manner = { quoted: true, setting: true, inSentence: false }
  if (check === 'drawn')
    return isSecretValue('key', secret, manner) && (looksDrawn(secret) || /^[0-9a-f-]{32,}$/i.test(secret))
  if (check === 'password') return isSecretValue('password', secret, manner)
  // Documentation gives a user's own name as the password: `postgres:postgres@`.
  return (
    secret !== user &&
    !/^(?:password|passwd|pass|pwd|secret|token|user|xxx+|\*+|\.+|changeme|example|redacted|your[-_]?\w*|<.*|\$.*|\{.*|%\w+%|\[.*)$/i.test(
      secret,
    )
  )
}
