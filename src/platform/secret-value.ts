/** Names of which hardly anything but a secret is the value. */
const STRONG =
  /passw(?:or)?d|passphrase|(?:^|[_.-])pwd$|secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|(?:access|auth|refresh|bearer|bot|session|id|api)[_-]?token$/i
/** Names that only speak of secrets: how many, how long, where they are kept. */
const ABOUT =
  /(?:tokens|count|length|limit|policy|column|endpoint|expir\w*|rules?|schema|hash|label|title|placeholder|index|usage|author\w*|izer|enabled|required|prompt|input|reset|manager|provider|store|header|field)$/i
/** The same in short words, which must stand apart: an admin is no minimum. */
const ABOUT_SHORT =
  /[_.-](?:len|size|min|max|type|name|ref|path|file|hint|url|uri|ttl|id|form|kind|at|in|by)$/i
const ABOUT_CAMEL =
  /[a-z](?:Len|Size|Min|Max|Type|Name|Ref|Path|File|Hint|Url|Uri|Ttl|Id|Form|Kind|At|In|By)$/
const WORD =
  /^(?:true|false|null|none|nil|undefined|string|number|boolean|bytes|text|varchar\w*|required|optional|redacted|hidden|secret|password|token|example|default|changeme|test|testing|your\w*|xxx+|\*+|\.+|-+|todo|unknown|inherit|disabled|enabled)$/i
/** `config.db.password`, `process.env.TOKEN`, `this.token`. */
const REFERENCE = /^[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+[!?]?$/
const PLACEHOLDER =
  /^(?:\$[\w{(]|%\w+%|@\w+@|[<{[*]|\.\.\.|…|your[-_]|replace|insert|enter[-_]|xxx|\/|~\/|\.\/|https?:)/i
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const HASH = /^(?:sha\d+[-:]\S+|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i

/** Whether what stands after a name is a secret, and not a word about one or a piece of code. */
export function isSecretValue(name: string, given: string, isQuoted: boolean): boolean {
  const value = given.replace(/[.,;:!?]+$/, '')
  if (value.length < 6 || /\s/.test(value)) return false
  if (WORD.test(value) || PLACEHOLDER.test(value) || REFERENCE.test(value) || value.includes('[redacted'))
    return false
  if (/^[\d.,_]+$/.test(value) && value.length < 10) return false
  const isStrong = STRONG.test(name)
  if (ABOUT.test(name) || ABOUT_SHORT.test(name) || ABOUT_CAMEL.test(name)) return false
  if (isStrong) return isQuoted ? value.length >= 8 || hasMix(value) : hasMix(value)
  // A hash or an id beside a weaker word is just that, and so are words with a version.
  return (
    /[A-Za-z0-9+]{16}/.test(value) &&
    !UUID.test(value) &&
    !HASH.test(value) &&
    hasMix(value) &&
    bitsIn(value) > 3.3
  )
}

/** Letters and something else: plain words and numbers are hardly secrets. */
function hasMix(value: string): boolean {
  return (
    /[A-Za-z]/.test(value) && /[0-9!#$%^&*+/=?@~-]/.test(value) && !/^[a-z]+(?:[-_/][a-z]+)*$/i.test(value)
  )
}

/** Bits for each character, as they come. */
function bitsIn(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
