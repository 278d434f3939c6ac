import { runAround } from './edges.ts'
import { isCapitals, strengthOf } from './names.ts'
import type { Rule, Span } from './span.ts'
import { isSecretValue } from './values.ts'

/** `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<password>…</password>`, `| password | … |`. */
export const NAMED: Rule[] = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'auth',
  'cred',
  'cookie',
  'psk',
  'jwt',
  'sig',
  'sid',
  'session',
  'pat"',
  'pat=',
  'pat:',
  'pat\\',
  'pat =',
  'kennwort',
  'contrasena',
  'wachtwoord',
  'senha',
  'bindpw',
  'rootpw',
  'masterauth',
].map((literal) => ({ literal, find: namedSecret }))

const MOST_OF_A_NAME = 60
const MOST_OF_A_VALUE = 4_096

function namedSecret(text: string, from: number, to: number): Span | undefined {
  const name = nameAround(text, from)
  // The last such word of a name speaks for it.
  if (name.to - to > 0 && /pass|pwd|secret|token|key|auth|cred|cookie|psk|jwt/i.test(text.slice(to, name.to)))
    return undefined
  const strength = strengthOf(name.word)
  if (strength === undefined) return undefined
  const isInUrl = '?&#'.includes(text.charAt(name.from - 1) || ' ')
  // A bare `key` names many things; in an address it is one.
  if (!isInUrl && name.word.length === 3 && name.word.toLowerCase() === 'key') return undefined
  const lead = leadAt(text, name)
  if (!lead) return undefined
  const value = valueAt(text, lead.at, lead)
  if (!value) return undefined
  const isPlain = name.dashes > 0 || isInUrl || (isCapitals(name.word) && lead.isAssignment === true)
  const isSecret = isSecretValue(strength, text.slice(value.from, value.to), {
    quoted: value.quoted,
    setting: isPlain || lead.isSetting === true,
    code: !isPlain,
    inSentence:
      !value.quoted && /^[ \t]+\p{L}+(?![\p{L}\p{N}_]*[=:])/u.test(text.slice(value.to, value.to + 40)),
  })
  return isSecret
    ? { from: value.from, to: value.to, kind: strength === 'password' ? 'password' : 'secret' }
    : undefined
}

interface Name {
  from: number
  to: number
  /** Without the dashes of a flag. */
  word: string
  dashes: number
}

function nameAround(text: string, at: number): Name {
  const run = runAround(text, at, isNameCode, MOST_OF_A_NAME)
  const whole = text.slice(run.from, run.to)
  const dashes = whole.length - whole.replace(/^-+/, '').length
  const word = whole.slice(dashes).replace(/[.-]+$/, '')
  return { from: run.from, to: run.from + dashes + word.length, word, dashes }
}

/** Letters, digits, `_`, `-` and `.`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45 ||
    code === 46
  )
}

/** What leads from a name to its value. */
interface Lead {
  at: number
  isAssignment?: boolean
  isSetting?: boolean
  /** Only a value in quotes is meant. */
  wantsQuotes?: boolean
  /** The value ends here. */
  until?: RegExp
}

const CLOSE = '(?:\\\\?["\'`]|\\*\\*|__|\\]|\\s?\\([^()\\n]{1,24}\\))*'
const ASSIGNED = new RegExp(`${CLOSE}[ \\t]{0,24}(=>|:=|\\?=|==?|:|：|<-)[ \\t]{0,24}`, 'y')
const TYPED = /(?:&'?\w*\s?)?[A-Za-z_][\w<>[\]|.:? ]{0,30}=\s{0,3}(?=["'`])/y
const ATTRIBUTE = /["']\s{1,4}(?:value|content|val)\s{0,2}=\s{0,2}(?=["'])/iy
const BESIDE = /\\?["']?\s{0,3},?\s{0,60}\\?["']?(?:value|val|stringValue)\\?["']?\s{0,3}[:=]\s{0,3}/iy
const ARGUMENT = /\\?["'`]\s{0,4},\s{0,24}(?=\\?["'`])/y
/** `var dbPassword string = "…"`. */
const TYPE_BEHIND = /[ \t]{1,3}(?:\*?string|\[\]byte|String|str)[ \t]{0,3}:?=[ \t]{0,3}(?=["'`])/y
/** `<entry key="db.password">…</entry>`. */
const TAGGED = /["']\s{0,3}>\s{0,4}/y
/** `"password": { "value": "…" }`. */
const NESTED =
  /\{\s{0,10}\\?["']?(?:value|val|content|stringValue|plaintext|plainText)\\?["']?\s{0,3}[:=]\s{0,3}/iy
/** `.setApiKey("…")`. */
const CALLED = /\(\s{0,3}(?=["'`])/y
const QUOTED_NEXT = /["']\s{1,4}(?=["'])/y
const CELL = /[`"*]{0,2}[ \t]{0,30}\|[ \t]{0,10}/y
const BLANKS = /[ \t]{1,4}/y
const TAG = /(?:\s[^<>\n]{0,80})?>\s{0,4}/y

function leadAt(text: string, name: Name): Lead | undefined {
  const after = name.to
  if (text.charAt(name.from - 1) === '<' || text.slice(name.from - 4, name.from).match(/<[\w-]{1,3}:$/)) {
    const at = match(TAG, text, after)
    if (at) return { at, until: /</ }
  }
  const at = match(ASSIGNED, text, after)
  if (at) {
    const sign = text.slice(after, at)
    const typed = /:\s*$/.test(sign) ? match(TYPED, text, at) : undefined
    return {
      at: typed ?? match(NESTED, text, at) ?? at,
      isAssignment: true,
      isSetting: /^\s?[=]$/.test(sign) || (name.dashes > 0 && sign === '='),
    }
  }
  const behind = match(TYPE_BEHIND, text, after)
  if (behind) return { at: behind, wantsQuotes: true, isAssignment: true }
  const tagged = match(TAGGED, text, after)
  if (tagged && /\b(?:key|name|id)\s?=\s?["']$/.test(text.slice(Math.max(0, name.from - 12), name.from)))
    return { at: tagged, until: /</ }
  const called = /(?:^|\.)(?:set|with|use|init|configure)[A-Z_][A-Za-z_]*$/.test(name.word)
    ? match(CALLED, text, after)
    : undefined
  if (called) return { at: called, wantsQuotes: true, isAssignment: true }
  const attribute = match(ATTRIBUTE, text, after)
  if (attribute) return { at: attribute, wantsQuotes: true, isAssignment: true }
  const argument = match(ARGUMENT, text, after)
  if (argument && /["'`]/.test(text.charAt(name.from - 1)))
    return { at: argument, wantsQuotes: true, isAssignment: true }
  const beside = match(BESIDE, text, after)
  if (
    beside &&
    /(?:name|key|header|field|variable)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?$/i.test(
      text.slice(Math.max(0, name.from - 24), name.from),
    )
  ) {
    return { at: beside, isAssignment: true }
  }
  const next = match(QUOTED_NEXT, text, after)
  if (next && /["']/.test(text.charAt(name.from - 1))) return { at: next, wantsQuotes: true }
  const before = text.slice(Math.max(0, name.from - 80), name.from)
  const blank = match(BLANKS, text, after)
  if (blank && isFollowedByValue(name, before, text, blank))
    return { at: blank, isSetting: true, isAssignment: true }
  const cell = match(CELL, text, after)
  if (cell && /\|[ \t`"*]*$/.test(before)) return { at: cell }
  return undefined
}

/** Where a blank is enough: behind a flag, in `.netrc`, a Dockerfile, SQL. */
function isFollowedByValue(name: Name, before: string, text: string, at: number): boolean {
  if (text.charAt(at) === '-') return false
  if (name.dashes === 2 || (name.dashes === 1 && name.word.length >= 4)) return true
  if (/(?:^|\n|\s)(?:ENV|SetEnv|setx|set-env|env\.set|set\s+-\w{0,4}x\w{0,4})\s+$/i.test(before)) return true
  if (/(?:login|machine|user|username|account)\s+\S{1,64}\s+$/.test(before)) return true
  if (/^_(?:auth|authToken|password)$/.test(name.word) || /\bconfig(?:ure)?\s+set\s+$/.test(before))
    return true
  if (/^(?:requirepass|masterauth|bindpw|rootpw|olcRootPW|rootpass)$/i.test(name.word)) return true
  return /["']/.test(text.charAt(at)) && /\b(?:with|set|alter|create|role|user)\b[^;\n]{0,60}$/i.test(before)
}

interface Value {
  from: number
  to: number
  quoted: boolean
}

const PREFIX =
  /(?:[brBRfu]|@|&|\$|String::from\(|Some\(|new \w{1,30}\(|\w{1,20}::new\(|Buffer\.from\(|\[\]byte\(|[\w.]{1,40}\(\s?["'][\w.-]{1,60}["']\s?,\s?|process\.env\.\w{1,40}\s?(?:\|\||\?\?)\s?|(?:<%=?\s?)?ENV(?:\.fetch\(|\[)["']\w{1,60}["'][)\]]\s?(?:\{|\|\|)\s?)?(?=["'`“„«])/y
const BLOCK = /(?:\\?["']{3}|["'`]|[|>][-+]?)[ \t]{0,3}\r?\n[ \t]{0,40}/y
const OPEN = /(\\?["'`]{3}|\\?["'`]|[“„«])/y
const CLOSING: Record<string, string> = { '“': '”', '„': '“', '«': '»' }
/** A sign that goes on with an address or a command ends it; any other is part of it. */
const BARE = /(?:[^\s"'`,;&|<>(){}[\]\\“”«»，。；）（]|&(?=[^\s&"'`])(?![\w.%-]{1,60}=)){1,512}/y
const YAML_TYPE = /!!\w{2,10}[ \t]/y

function valueAt(text: string, at: number, { wantsQuotes, until }: Lead): Value | undefined {
  if (until) {
    const end = text.slice(at, at + 512).search(until)
    return end > 0 ? trimmed(text, at, at + end, false) : undefined
  }
  const block = match(BLOCK, text, at)
  if (block) {
    const end = text.slice(block, block + MOST_OF_A_VALUE).search(/["'\n]|$/)
    return trimmed(text, block, block + end, true)
  }
  const start = match(YAML_TYPE, text, at) ?? at
  const quoteAt = match(PREFIX, text, start) ?? start
  OPEN.lastIndex = quoteAt
  const [open] = OPEN.exec(text) ?? []
  if (open) {
    const from = quoteAt + open.length
    const to = text.indexOf(CLOSING[open] ?? open, from)
    const isClosed = to > from && to - from <= MOST_OF_A_VALUE && !text.slice(from, to).includes('\n')
    if (isClosed) return { from, to, quoted: true }
    const bare = match(BARE, text, from)
    return bare ? { from, to: bare, quoted: true } : undefined
  }
  if (wantsQuotes) return undefined
  const end = match(BARE, text, start)
  // A call or an element of something is code.
  if (!end || /[([{]/.test(text.charAt(end))) return undefined
  return trimmed(text, start, end, false)
}

function trimmed(text: string, from: number, to: number, quoted: boolean): Value {
  let end = to
  while (end > from && /[\s.,;:]/.test(text.charAt(end - 1))) end--
  return { from, to: end, quoted }
}

/** Where a sticky pattern ends that begins here. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
