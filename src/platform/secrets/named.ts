import { isMixed, isWords } from './chance.ts'
import { runAround } from './edges.ts'
import { isCapitals, type NameStrength, strengthOf } from './names.ts'
import type { Rule, Span } from './span.ts'
import { isPassphrase, isSecretValue } from './values.ts'

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

function namedSecret(text: string, from: number, to: number): Span[] | undefined {
  const name = nameAround(text, from)
  // The last such word of a name speaks for it.
  if (name.to - to > 0 && /pass|pwd|secret|token|key|auth|cred|cookie|psk|jwt/i.test(text.slice(to, name.to)))
    return undefined
  if (!mayLead(text, name)) return undefined
  const strength =
    name.word.toLowerCase() === 'key' && isKeyOfWords(text, name) ? 'key' : strengthOf(name.word)
  if (strength === undefined) return undefined
  const isInUrl = '?&#'.includes(text.charAt(name.from - 1) || ' ')
  // A bare `key` names many things; in an address it is one, and so is an "API key" in a table.
  if (!isInUrl && name.word.length === 3 && name.word.toLowerCase() === 'key' && !isKeyOfWords(text, name))
    return undefined
  const lead = leadAt(text, name)
  if (!lead) return undefined
  const value = valueAt(text, match(SET, text, lead.at) ?? lead.at, lead)
  if (!value) return undefined
  if (lead.isLoose && !isSureBehindBlank(strength, text.slice(value.from, value.to))) return undefined
  const isPlain = name.dashes > 0 || isInUrl || (isCapitals(name.word) && lead.isAssignment === true)
  // In a list of words each may be of several: `--password`, `npm run start`.
  const mayBePhrase =
    strength === 'password' &&
    value.quoted &&
    /[=:]|^ ["']$/.test(text.slice(name.to, value.from)) &&
    !(text.slice(name.to, value.from).includes('(') && /_pass$/i.test(name.word))
  const isSecret = ({ from, to, quoted }: Value) =>
    (mayBePhrase && isPassphrase(name.word, text.slice(from, to), isPlain)) ||
    isSecretValue(strength, text.slice(from, to), {
      quoted,
      setting: isPlain || lead.isSetting === true,
      code: !isPlain,
      inSentence: !quoted && /^[ \t]+\p{L}+(?![\p{L}\p{N}_]*[=:])/u.test(text.slice(to, to + 40)),
    })
  const kind = strength === 'password' ? 'password' : 'secret'
  return [value, changedTo(text, value)].flatMap((each) =>
    each && isSecret(each) ? [{ from: each.from, to: each.to, kind }] : [],
  )
}

/** `null -> "…"` and `"…" -> "…"`, as plans of Terraform say it. */
const SET = /(?:null|"")[ \t]{1,4}->[ \t]{1,4}(?=["'])/y
const CHANGED = /\\?["'`][ \t]{1,4}(?:->|=>|→)[ \t]{1,4}(?=\\?["'`])/y

function changedTo(text: string, { to }: Value): Value | undefined {
  const at = match(CHANGED, text, to)
  return at === undefined ? undefined : valueAt(text, at, { at, wantsQuotes: true })
}

function isKeyOfWords(text: string, { from }: Name): boolean {
  return /(?:api|secret|access|private|signing|encryption|license|master|admin|account) $/i.test(
    text.slice(Math.max(0, from - 12), from),
  )
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
  let start = run.from
  while (start < run.to && text.charCodeAt(start) === DASH) start++
  let to = run.to
  while (to > start && (text.charCodeAt(to - 1) === DASH || text.charCodeAt(to - 1) === DOT)) to--
  return { from: run.from, to, word: text.slice(start, to), dashes: start - run.from }
}

const DASH = 45
const DOT = 46

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
  /** A blank is all that leads there. */
  isLoose?: boolean
}

/** `#define API_KEY "…"`, `storePassword '…'`: letters and something else, and no word of a sentence. */
function isSureBehindBlank(strength: NameStrength, value: string): boolean {
  return (
    (strength === 'password' || strength === 'key') &&
    value.length >= 8 &&
    isMixed(value) &&
    !isWords(value) &&
    !/^-|[()]/.test(value)
  )
}

const CLOSE =
  '(?:\\\\?["\'`]|&quot;|&#3[49];|\\*\\*|__|\\[\\d*\\]|\\]|\\s\\[[\\w*]{1,24}\\]|\\s?\\([^()\\n]{1,24}\\))*'
const ASSIGNED = new RegExp(`${CLOSE}[ \\t]{0,24}(=>|:=|\\?=|==?|:|：|<-|%3[dD])[ \\t]{0,24}`, 'y')
/** Within an address that is part of another: `…%3Ftoken%3D…%26`. */
const ESCAPED_END = /%26|%23|[^\w.~%+-]|$/
const TYPED = /(?:&'?\w*\s?)?[A-Za-z_][\w<>[\]|.:? ]{0,30}=\s{0,3}(?=["'`])/y
const ATTRIBUTE = /["']\s{1,4}(?:\w{1,12}:)?(?:value|content|val)\s{0,2}=\s{0,2}(?=["'])/iy
const BESIDE =
  /\\?["']?\s{0,3},?(?:\\[nrt]){0,2}\s{0,60}(?:[+>-]\s{1,60})?\\?["']?(?:value|val|stringValue)\\?["']?\s{0,3}[:=]\s{0,3}/iy
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
/** `getByLabel('Password').fill('…')`, `get('[name=password]').type('…')`. */
const TYPED_INTO =
  /["'`\]]{1,3}\)\s{0,3}\.(?:fill|type|sendKeys|send_keys|setValue|set_value|enterText|typeText|pressSequentially|replaceText|clear\(\)\.type)\(\s{0,3}(?=["'`])/y
const QUOTED_NEXT = /["']\s{1,4}(?=["'])/y
const CELL = /[`"*]{0,2}[ \t]{0,30}[|│][ \t]{0,10}/y
const BLANKS = /[ \t]{1,4}(?:--(?:plaintext|iscrypted)[ \t])?/y
/** `DB_PASSWORD      …`, at the beginning of a line. */
const COLUMN = /(?:\t[ \t]{0,60}| {2,60})(?=[^\s=:|])/y
const TAG = /(?:\s[^<>\n]{0,80})?>\s{0,4}(?:<(?:value|string|val)>\s{0,4})?(?:<!\[CDATA\[)?/iy
/** `<key>ApiKey</key> <string>…</string>`. */
const NEXT_TAG = /<\/\w{1,12}>\s{0,12}<(?:string|value|val)>\s{0,4}/iy
/** `process.env.API_KEY ?? '…'`. */
const OTHERWISE = /["')\]]{0,2}\s{0,2}(?:\|\||\?\?|\bor\b)\s{0,2}(?=["'`])/y
const BEFORE_QUOTES = /[ \t]{1,3}(?=["'])/y

/** What may be right behind a name that has a value. */
const LEADS = new Set([...'"\'`\\*_[]&(=:?<,|)：% \t\r\n'].map((sign) => sign.charCodeAt(0)))

function mayLead(text: string, { from, to }: Name): boolean {
  return LEADS.has(text.charCodeAt(to)) || text.charCodeAt(from - 1) === 60 || text.charAt(from - 1) === ':'
}

function leadAt(text: string, name: Name): Lead | undefined {
  const after = name.to
  if (text.charAt(name.from - 1) === '<' || text.slice(name.from - 4, name.from).match(/<[\w-]{1,3}:$/)) {
    const at = match(TAG, text, after)
    if (at) return { at, until: /\]\]>|</ }
  }
  if (text.charAt(after) === '<') {
    const next = match(NEXT_TAG, text, after)
    if (next) return { at: next, until: /</ }
  }
  const isBeforeWord = isWordBehindBlank(text, after)
  const at = isBeforeWord ? undefined : match(ASSIGNED, text, after)
  if (at) {
    const sign = text.slice(after, at)
    const typed = /:\s*$/.test(sign) ? match(TYPED, text, at) : undefined
    if (sign.startsWith('%')) return { at, isAssignment: true, until: ESCAPED_END }
    return {
      at: typed ?? match(NESTED, text, at) ?? at,
      isAssignment: true,
      isSetting: /^\s?[=]$/.test(sign) || (name.dashes > 0 && sign === '='),
    }
  }
  const behind = match(TYPE_BEHIND, text, after)
  if (behind) return { at: behind, wantsQuotes: true, isAssignment: true }
  if (isBeforeWord) return leadOverBlank(text, name)
  const tagged = match(TAGGED, text, after)
  if (tagged && /\b(?:key|name|id)\s?=\s?["']$/.test(text.slice(Math.max(0, name.from - 12), name.from)))
    return { at: tagged, until: /</ }
  const isCall = /(?:^|\.)(?:set|with|use|init|configure)[A-Z_][A-Za-z_]*$/.test(name.word)
  const called = match(isCall ? CALLED : TYPED_INTO, text, after)
  if (called) return { at: called, wantsQuotes: true, isAssignment: true }
  const attribute = match(ATTRIBUTE, text, after)
  if (attribute) return { at: attribute, wantsQuotes: true, isAssignment: true }
  const argument = match(ARGUMENT, text, after)
  if (argument && /["'`]/.test(text.charAt(name.from - 1)))
    return { at: argument, wantsQuotes: true, isAssignment: true }
  const beside = leadBeside(text, name)
  if (beside) return beside
  const next = match(QUOTED_NEXT, text, after)
  if (next && /["']/.test(text.charAt(name.from - 1))) return { at: next, wantsQuotes: true }
  const blank = leadByBlank(text, name)
  if (blank) return blank
  const cell = match(CELL, text, after)
  if (cell && /[|│][ \t`"*]*(?:[A-Za-z]{2,12} )?$/.test(text.slice(Math.max(0, name.from - 40), name.from)))
    return { at: cell }
  // In a record of `psql`, a name and its value on each line.
  if (cell && /(?:^|\n)[ \t]{0,40}$/.test(text.slice(Math.max(0, name.from - 41), name.from)))
    return { at: cell, isLoose: true }
  const otherwise = match(OTHERWISE, text, after)
  if (otherwise) return { at: otherwise, wantsQuotes: true, isAssignment: true }
  // "Pass" is a verb, too.
  const quotes = name.word.toLowerCase() === 'pass' ? undefined : match(BEFORE_QUOTES, text, after)
  return quotes ? { at: quotes, wantsQuotes: true, isLoose: true } : undefined
}

function isWordBehindBlank(text: string, after: number): boolean {
  let at = after
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++
  const code = text.charCodeAt(at)
  return at > after && isNameCode(code) && code !== DASH && code !== DOT
}

/** Behind a blank comes a word: most names are words of a sentence. */
function leadOverBlank(text: string, name: Name): Lead | undefined {
  const otherwise = match(OTHERWISE, text, name.to)
  if (otherwise) return { at: otherwise, wantsQuotes: true, isAssignment: true }
  return leadBeside(text, name) ?? leadByBlank(text, name)
}

function leadBeside(text: string, { from, to }: Name): Lead | undefined {
  const beside = match(BESIDE, text, to)
  const isNamed =
    beside &&
    /(?:name|key|header|field|variable)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?$/i.test(
      text.slice(Math.max(0, from - 24), from),
    )
  return isNamed ? { at: beside, isAssignment: true } : undefined
}

function leadByBlank(text: string, name: Name): Lead | undefined {
  const column = name.dashes > 0 ? undefined : match(COLUMN, text, name.to)
  if (
    column &&
    /(?:^|\n)[ \t]{0,40}(?:[│|>+][ \t]{0,4})?$/.test(text.slice(Math.max(0, name.from - 50), name.from))
  )
    return { at: column, isAssignment: true, isLoose: true }
  const blank = match(BLANKS, text, name.to)
  return blank && isFollowedByValue(name, text, blank)
    ? { at: blank, isSetting: true, isAssignment: true }
    : undefined
}

/** Where a blank is enough: behind a flag, in `.netrc`, a Dockerfile, SQL. */
function isFollowedByValue(name: Name, text: string, at: number): boolean {
  if (text.charAt(at) === '-') return false
  if (name.dashes === 2 || (name.dashes === 1 && name.word.length >= 4)) return true
  if (
    /^(?:_(?:auth|authToken|password)|requirepass|masterauth|bindpw|rootpw|olcRootPW|rootpass|vault_pass)$/i.test(
      name.word,
    )
  )
    return true
  const isQuoted = /["']/.test(text.charAt(at))
  const before = text.slice(Math.max(0, name.from - 80), name.from)
  if (!/\s$/.test(before)) return false
  if (
    /(?:^|\s)(?:ENV|SetEnv|setx|set-env|env\.set|set\s+-\w{0,4}x\w{0,4}|config(?:ure)?\s+set)\s+$/i.test(
      before.slice(-24),
    )
  )
    return true
  if (/(?:login|machine|user|username|account)\s+[^\s|]{1,64}\s+$/.test(before)) return true
  return isQuoted && /\b(?:with|set|alter|create|role|user)\b[^;\n]{0,60}$/i.test(before)
}

interface Value {
  from: number
  to: number
  quoted: boolean
}

const PREFIX =
  /(?:[brBRfu]|@|&|\$|String::from\(|Some\(|new \w{1,30}\(|\w{1,20}::new\(|Buffer\.from\(|\[\]byte\(|[\w.]{1,40}\(\s?["'][\w.-]{1,60}["']\s?,\s?|process\.env\.\w{1,40}\s?(?:\|\||\?\?)\s?|(?:<%=?\s?)?ENV(?:\.fetch\(|\[)["']\w{1,60}["'][)\]]\s?(?:\{|\|\|)\s?)?(?=["'`“„«])/y
/** Also in a diff or a quotation. */
const BLOCK =
  /(?:\\?["']{3}|["'`]|[|>][-+\d]{0,2}|<<[-~]?["']?\w{1,40}["']?)[ \t]{0,3}\r?\n(?:[+>-][ \t])?[ \t]{0,40}/y
const OPEN = /(\\?["'`]{3}|\\?["'`]|[“„«]|&quot;|&#3[49];)/y
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
    const line = lineFrom(text, from)
    const length = line.indexOf(CLOSING[open] ?? open)
    if (length > 0) return { from, to: from + length, quoted: true }
    const bare = match(BARE, text, from)
    return bare ? { from, to: bare, quoted: true } : undefined
  }
  if (wantsQuotes) return undefined
  const end = match(BARE, text, start)
  // A call or an element of something is code.
  if (!end || /[([{]/.test(text.charAt(end))) return undefined
  return trimmed(text, start, end, false)
}

/** The rest of a line, as far as a value may go. */
function lineFrom(text: string, from: number): string {
  const end = Math.min(text.length, from + MOST_OF_A_VALUE)
  let to = from
  while (to < end && text.charCodeAt(to) !== 10) to++
  return text.slice(from, to)
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
