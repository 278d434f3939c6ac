import { isMixed } from './secrets/chance.ts'
import { findSecrets } from './secrets/find.ts'
import { strengthOf } from './secrets/names.ts'
import { occurrences } from './secrets/own.ts'
import { isSecretValue } from './secrets/values.ts'
import { SHORTEST, without } from './secrets/without.ts'

/**
 * The same for every string in a JSON value, where a name may be beside its value instead of
 * before it. What was found to be a secret in one place is taken out of all the others too.
 */
export function redactJson<T>(value: T): T {
  const seen = new Set<string>()
  const redacted = redactValue(value, undefined, seen)
  return (seen.size > 0 ? withoutSeen(redacted, seen) : redacted) as T
}

const SECRET = '[redacted: secret]'
const MANNER = { quoted: true, setting: false, inSentence: false }
/** Fields of an entry that hold its name, and its value. */
const NAMES = ['name', 'key', 'header', 'field', 'variable', 'Name', 'Key']
const VALUES = ['value', 'val', 'content', 'Value', 'stringValue', 'default']

/** `name` is that of the field in which the value was found. */
function redactValue(value: unknown, name: string | undefined, seen: Set<string>): unknown {
  if (typeof value === 'string') return redactField(name, value, seen)
  if (Array.isArray(value)) return redactList(value, name, seen)
  if (value && typeof value === 'object') return redactObject(value as Record<string, unknown>, name, seen)
  return value
}

function redactField(name: string | undefined, value: string, seen: Set<string>): string {
  if (name === 'title') return wholeTitle(redactText(value, seen), value.length)
  if (name === undefined || !isSecretField(name, value)) return redactText(value, seen)
  keep(value, seen)
  return SECRET
}

function redactText(text: string, seen: Set<string>): string {
  if (text.length < SHORTEST) return text
  const spans = findSecrets(text)
  for (const { from, to } of spans) keep(text.slice(from, to), seen)
  return without(text, spans)
}

/** Without words of its own a title is the beginning of a request, cut so when it was archived. */
const CUT_TITLE = 200

/** A title that was cut may end in half of a secret, which has no form to be known by. */
function wholeTitle(title: string, length: number): string {
  if (length < CUT_TITLE && !/(?:…|\.\.\.)$/.test(title)) return title
  return title.replace(/\S{8,}$/, (last) => (/[0-9]/.test(last) && /[A-Za-z]/.test(last) ? '…' : last))
}

/** Only what cannot be an ordinary word is looked for elsewhere. */
function keep(secret: string, seen: Set<string>): void {
  if (secret.length >= SHORTEST && secret.length <= 500 && isMixed(secret)) seen.add(secret)
}

function redactObject(
  value: Record<string, unknown>,
  name: string | undefined,
  seen: Set<string>,
): Record<string, unknown> {
  const entry = NAMES.map((each) => value[each]).find((each) => typeof each === 'string') as
    | string
    | undefined
  const isCookie = name === 'cookies' && entry !== undefined
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => {
      const own = VALUES.includes(field) ? (isCookie ? `${entry} cookie` : (entry ?? name)) : field
      return [redactText(field, seen), redactValue(each, own, seen)]
    }),
  )
}

function redactList(list: unknown[], name: string | undefined, seen: Set<string>): unknown[] {
  const isPair = list.length === 2 && list.every((each) => typeof each === 'string')
  return list.map((each, i) => {
    const before = list[i - 1]
    if (typeof each !== 'string' || typeof before !== 'string') return redactValue(each, name, seen)
    if (isPair && !before.startsWith('-')) return redactField(before, each, seen)
    return /^--?[A-Za-z]/.test(before) ? redactFlag(before, each, seen) : redactValue(each, name, seen)
  })
}

/** `['--password', …]`, `['-u', 'admin:…']`. */
function redactFlag(flag: string, value: string, seen: Set<string>): string {
  const [, user, secret] = /^([^\s:]{1,64}:)(\S{4,})$/.exec(value) ?? []
  if (
    /^(?:-u|--user|--proxy-user)$/.test(flag) &&
    user &&
    secret &&
    isSecretValue('password', secret, MANNER)
  ) {
    keep(secret, seen)
    return `${user}${SECRET}`
  }
  return redactField(flag.replace(/^-+/, ''), value, seen)
}

function isSecretField(name: string, value: string): boolean {
  return value.length >= 4 && name.length <= 120 && isSecretValue(strengthOf(name), value, MANNER)
}

function withoutSeen(value: unknown, seen: Set<string>): unknown {
  if (typeof value === 'string') {
    const spans = occurrences(value, seen, 'secret').sort((a, b) => a.from - b.from || b.to - a.to)
    return without(
      value,
      spans.filter((span, i) => i === 0 || span.from >= (spans[i - 1]?.to ?? 0)),
    )
  }
  if (Array.isArray(value)) return value.map((each) => withoutSeen(each, seen))
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSeen(each, seen)]))
  }
  return value
}
