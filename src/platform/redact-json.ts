import { isMixed } from './secrets/chance.ts'
import { findSecrets } from './secrets/find.ts'
import { strengthOf } from './secrets/names.ts'
import { occurrences } from './secrets/own.ts'
import { isTelling, mayHold, type Seen } from './secrets/seen.ts'
import { joined } from './secrets/span.ts'
import { isPassphrase, isSecretValue } from './secrets/values.ts'
import { SHORTEST, without } from './secrets/without.ts'

/**
 * The same for every string in a JSON value, where a name may be beside its value instead of
 * before it. What was found to be a secret in one place is taken out of all the others too.
 */
export function redactJson<T>(value: T): T {
  return redactJsonIn(value, undefined)
}

/** The same, and what is known to be a secret from elsewhere in the chat. */
export function redactJsonIn<T>(value: T, inChat: Seen | undefined): T {
  const seen = new Secrets()
  const redacted = redactValue(value, undefined, seen)
  return (seen.size > 0 || inChat?.size ? withoutSeen(redacted, seen, inChat) : redacted) as T
}

/** What is a secret in a JSON value, and what it is called: `GitHub token`. */
export function secretsIn(value: unknown): { secret: string; kind: string }[] {
  const seen = new Secrets()
  redactValue(value, undefined, seen)
  return seen.all
}

/** What was found so far; only what cannot be an ordinary word is looked for elsewhere. */
class Secrets extends Set<string> {
  readonly all: { secret: string; kind: string }[] = []

  note(secret: string, kind: string): void {
    this.all.push({ secret, kind })
    if (isTelling(secret)) this.add(secret)
  }
}

const SECRET = '[redacted: secret]'
const MANNER = { quoted: true, setting: false, inSentence: false }
/** Fields of an entry that hold its name, and its value. */
const NAMES = ['name', 'key', 'header', 'field', 'variable', 'Name', 'Key']
const VALUES = ['value', 'val', 'content', 'Value', 'stringValue', 'default']

/** `name` is that of the field in which the value was found. */
function redactValue(value: unknown, name: string | undefined, seen: Secrets): unknown {
  if (typeof value === 'string') return redactField(name, value, seen)
  if (Array.isArray(value)) return redactList(value, name, seen)
  if (value && typeof value === 'object') return redactObject(value as Record<string, unknown>, name, seen)
  return value
}

function redactField(name: string | undefined, value: string, seen: Secrets): string {
  if (name === 'title') return wholeTitle(redactText(value, seen), value.length)
  if (name === undefined || !isSecretField(name, value)) return redactText(value, seen)
  seen.note(value, 'secret')
  return SECRET
}

function redactText(text: string, seen: Secrets): string {
  if (text.length < SHORTEST) return text
  const spans = findSecrets(text)
  for (const { from, to, kind } of spans) seen.note(text.slice(from, to), kind)
  return without(text, spans)
}

/** Without words of its own a title is the beginning of a request, cut so when it was archived. */
const CUT_TITLE = 200

/** A title that was cut may end in half of a secret, which has no form to be known by. */
function wholeTitle(title: string, length: number): string {
  if (length < CUT_TITLE && !/(?:…|\.\.\.)$/.test(title)) return title
  return title.replace(/\S{8,}$/, (last) => (isMixed(last) || isTelling(last) ? '…' : last))
}

function redactObject(
  value: Record<string, unknown>,
  name: string | undefined,
  seen: Secrets,
): Record<string, unknown> {
  const entry = NAMES.map((each) => value[each]).find((each) => typeof each === 'string') as
    | string
    | undefined
  const isCookie = name === 'cookies' && entry !== undefined
  return objectOf(
    Object.entries(value).map(([field, each]) => {
      const own = VALUES.includes(field) ? (isCookie ? `${entry} cookie` : (entry ?? name)) : field
      return [redactText(field, seen), redactValue(each, own, seen)]
    }),
  )
}

function redactList(list: unknown[], name: string | undefined, seen: Secrets): unknown[] {
  const isPair = list.length === 2 && list.every((each) => typeof each === 'string')
  return list.map((each, i) => {
    const before = list[i - 1]
    if (typeof each !== 'string' || typeof before !== 'string') return redactValue(each, name, seen)
    if (isPair && !before.startsWith('-')) return redactField(before, each, seen)
    return /^--?[A-Za-z]/.test(before) ? redactFlag(before, each, seen) : redactValue(each, name, seen)
  })
}

/** `['--password', …]`, `['-u', 'admin:…']`. */
function redactFlag(flag: string, value: string, seen: Secrets): string {
  const [, user, secret] = /^([^\s:]{1,64}:)(\S{4,})$/.exec(value) ?? []
  if (
    /^(?:-u|--user|--proxy-user)$/.test(flag) &&
    user &&
    secret &&
    isSecretValue('password', secret, MANNER)
  ) {
    seen.note(secret, 'password')
    return `${user}${SECRET}`
  }
  return redactField(flag.replace(/^-+/, ''), value, seen)
}

function isSecretField(name: string, value: string): boolean {
  if (value.length < 4 || name.length > 120) return false
  const strength = strengthOf(name)
  return (
    isSecretValue(strength, value, MANNER) || (strength === 'password' && isPassphrase(name, value, false))
  )
}

function withoutSeen(value: unknown, seen: Secrets, inChat: Seen | undefined): unknown {
  if (typeof value === 'string') {
    if (value.length < SHORTEST) return value
    const known = seen.size > 0 ? without(value, joined(occurrences(value, seen, 'secret'))) : value
    return inChat?.size ? without(known, inChat.spansIn(known)) : known
  }
  if (Array.isArray(value)) return value.map((each) => withoutSeen(each, seen, inChat))
  if (value && typeof value === 'object') {
    return objectOf(
      Object.entries(value).map(([name, each]) => [
        mayHold(name) ? (withoutSeen(name, seen, inChat) as string) : name,
        withoutSeen(each, seen, inChat),
      ]),
    )
  }
  return value
}

/** Where two names have become the same, both stay. */
function objectOf(entries: [string, unknown][]): Record<string, unknown> {
  const made = Object.fromEntries(entries)
  if (Object.keys(made).length === entries.length) return made
  const taken = new Map<string, number>()
  return Object.fromEntries(
    entries.map(([name, each]) => {
      const times = (taken.get(name) ?? 0) + 1
      taken.set(name, times)
      return [times > 1 ? `${name} ${times}` : name, each]
    }),
  )
}
