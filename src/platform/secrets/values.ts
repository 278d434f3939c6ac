import { bitsIn, isMixed, isMixedCase, isWords, looksDrawn } from './chance.ts'
import type { NameStrength } from './names.ts'

/** How a value is written behind its name. */
export interface Manner {
  quoted: boolean
  /** Written as settings are: `NAME=value`, `?name=value`. */
  setting: boolean
  /** It may be a piece of code: a name, a call. */
  code?: boolean
  /** Words follow it, as in a sentence. */
  inSentence: boolean
}

/** Whether what is behind a name is a secret, and not a word about one or a piece of code. */
export function isSecretValue(strength: NameStrength, value: string, manner: Manner): boolean {
  if (strength === undefined || value.length < 4 || /\s/.test(value)) return false
  if (isNoValue(value, manner)) return false
  if (strength === 'password') return isPassword(value, manner)
  if (strength === 'key') return isKey(value, manner)
  return isPlainlyDrawn(value, manner)
}

/** Short ones are words of their own: a pass of a renderer, a folder's name. */
const NAMED_AT_LENGTH =
  /passw(?:or)?d|passphrase|passcode|kennwort|passwort|contrasena|wachtwoord|senha|_p(?:ass|wd)$/i

/** Several words in quotes, and no sentence about passwords: `DB_PASSWORD="correct horse battery staple"`. */
export function isPassphrase(name: string, value: string, isPlain: boolean): boolean {
  if (!NAMED_AT_LENGTH.test(name)) return false
  if (value.length < 8 || value.length > 100 || !/^\S+(?: \S+){1,11}$/.test(value)) return false
  if (/[[\](){}<>$=\\…]|:\s|\.\.\./.test(value)) return false
  const words = value.split(' ')
  const said = words.map((word) => word.toLowerCase().replace(/[^\p{L}]+$/u, ''))
  if (said.some((word) => OF_PASSWORDS.has(word))) return false
  if (isPlain) return /[^A-Z\s-]/.test(value) && words.every((word) => word.length <= 30)
  if (said.some((word) => OF_SENTENCES.has(word))) return false
  if (words.some((word) => word.length >= 6 && /\d/.test(word) && isMixed(word) && !isWords(word)))
    return true
  return words.length >= 3 && words.every((word) => /^[a-z]{2,12}$/.test(word))
}

function isPassword(value: string, manner: Manner): boolean {
  if (/^\d+$/.test(value)) return value.length >= 6 && value.length <= 16
  if (value.length < 5) return false
  if (isMixed(value)) return !isWords(value) || value.length < 20
  if (/^\p{Lu}?\p{Ll}+(?:[-_]\p{L}+)+$/u.test(value)) {
    // Words with dashes: a passphrase has many.
    return /^\p{L}+(?:-\p{L}+)+$/u.test(value) && (manner.setting || value.split('-').length >= 4)
  }
  if (!/^\p{L}+$/u.test(value)) return value.length >= 8 && !/[_.]/.test(value)
  if (/^\p{Lu}\p{Ll}+$/u.test(value)) return manner.setting && value.length >= 10
  if (isMixedCase(value)) return true
  return manner.setting ? value.length >= 8 : value.length >= 10 && !manner.inSentence
}

function isKey(value: string, manner: Manner): boolean {
  if (value.length < 6) return false
  if (/^\d+$/.test(value)) return value.length >= 12
  if (/^\p{L}+$/u.test(value)) {
    return isMixedCase(value) || (value.length >= 16 && manner.quoted && /^[a-z]+$/.test(value))
  }
  if (isWords(value)) return /^[a-z]+(?:-[a-z]+){3,}$/.test(value) && !/key|token|secret/.test(value)
  return value.length >= 8 && (isMixed(value) || looksDrawn(value))
}

function isPlainlyDrawn(value: string, manner: Manner): boolean {
  if (value.length < 16 || !/[A-Za-z0-9+/_-]{16}/.test(value) || isWords(value)) return false
  // A hash or an id beside a weak name is just that, unless it is a setting.
  if (UUID.test(value) || HASH.test(value)) return manner.setting && !UUID.test(value)
  return /\d/.test(value) && looksDrawn(value) && bitsIn(value) > 3.3
}

/** Words, types, references, templates and the like, of which no one is a secret. */
function isNoValue(value: string, { quoted, code }: Manner): boolean {
  if (value.includes('[redacted') || WORD.test(value) || SAID.test(value)) return true
  if (PLACEHOLDER.test(value) || VERSION.test(value) || TIME.test(value) || isPath(value)) return true
  if (REFERENCE.test(value) && !/[A-Za-z0-9]{20}/.test(value)) return true
  if (/^(.)\1*$/u.test(value) || /^(?:x+|\*+|\.+|-+|•+|…+)$/i.test(value)) return true
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return true
  if (quoted) return /^\/(?!\/).*\/[a-z]*$/.test(value) && /[\\^$*+?()[\]]/.test(value)
  return (
    /[(){}[\]]/.test(value) ||
    (code === true &&
      (/^[a-z]+(?:_[a-z]+)+$/.test(value) ||
        /^(?:[A-Z][a-z]+){2,}$/.test(value) ||
        /^[a-z]+(?:[A-Z][a-z]+)+$/.test(value) ||
        /^[&*@!]?[A-Za-z_]+[;?!]$/.test(value)))
  )
}

function isPath(value: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value)) return true
  if (/^(?:~|\.{1,2})?\/[\w.-]+\//.test(value)) return value.split('/').every(isFolderName)
  return (
    /^(?:~\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value) ||
    /^[\w./-]+\.(?:json|ya?ml|toml|pem|crt|key|txt|env|ts|js|py|go|rs|md)$/.test(value)
  )
}

/** Large, small and digits together are hardly a folder's name. */
function isFolderName(name: string): boolean {
  return !(/[a-z]/.test(name) && /[A-Z]/.test(name) && /\d/.test(name))
}

/** What is said instead of one. */
const OF_PASSWORDS = new Set(
  `password passwords passwd passwort passwörter kennwort passphrase passcode pass pwd pin secret secrets token tokens key keys credential credentials contraseña clave senha passe пароль
  your change changeme set unset placeholder example sample todo enter insert replace none required optional see vault empty default type choose confirm repeat forgot forgotten reset
  show hide invalid incorrect wrong minimum least characters character chars letters digits symbols long short weak strong field value string text input hash hashed plain encrypted username user email account login auth must should cannot invalid expired`.split(
    /\s+/,
  ),
)
const OF_SENTENCES = new Set(
  `the a an is are was were be been being to of for and or not no if it its this that these those with without in on at by from as into than then when where which who what how why can could may might will would do does did has have had
  i you we they he she my our their me us them all any each every some only also very too more most less please e.g i.e etc per via using used use new old current same other another next last first second
  der die das ein eine ist sind und oder nicht mit für von zu im am bitte ihr dein neu le la les un une est et ou pas avec pour de du des votre el los las una es y o no con para su il lo gli e non di del per`.split(
    /\s+/,
  ),
)
const WORD =
  /^(?:true|false|null|none|nil|undefined|string|str|number|boolean|bool|bytes?|text|int|integer|float|object|array|any|unknown|void|varchar\w*|char|required|optional|redacted|hidden|masked|secret|password|passwd|pass|token|apikey|api_key|example|default|change-?me\w*|changeit|test|testing|your\w*|todo|tbd|fixme|inherit|disabled|enabled|empty|missing|invalid|expired|valid|wrong|correct|incorrect|yes|no|on|off|async|await|function|const|return|self|this|new|env|basic|bearer|oauth2?|jwt|plain|login|root|admin|user(?:name)?|foo|bar|baz|foobar|abc|abc123|hunter2?|dummy|sample|placeholder|value|some-?\w*|my-?(?:password|secret|token|key)|the|and|for|with|from|file|vault|keychain|bcrypt|argon2\w*|scrypt|sha\d+|md5|hs256|rs256|es256)$/i
/** The word itself, in some languages: what forms and catalogues of translations show. */
const SAID =
  /^(?:passwort|kennwort|contraseña|mot-?de-?passe|wachtwoord|senha|lozinka|hasło|heslo|jelszó|parola|salasana|lösenord|adgangskode|пароль|токен|密码|密碼|口令|令牌|パスワード|비밀번호|zugangsmarke|schlüssel|geheimnis|clave|secreto|jeton)$/i
const PLACEHOLDER =
  /^(?:\$[\w{(]|%\w+%?$|%\{|@\w+@$|[<{[*]|\.\.\.|…|your[-_ ]|replace|insert|enter[-_]|xxx|put[-_]|add[-_]|some[-_]|my[-_](?:super[-_])?(?:password|secret|token|api)|\.\/|https?:|![A-Za-z]+$|\\?\$\{|#\{|<%|process\.|os\.|env\.|secrets?\.|var\.|local\.|data\.|vault:|op:\/\/|arn:|ref\+|!!?[a-z]+)|_here$|-here$|^[A-Z_]*(?:PLACEHOLDER|CHANGE_?ME|REPLACE)[A-Z_]*$|xxxx|\*\*\*|EXAMPLEKEY|EXAMPLE$/i
/** `config.db.password`, `process.env.TOKEN`, `this.token`. */
const REFERENCE = /^[A-Za-z_$@][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+[!?;,]*$/
const VERSION = /^[\^~<>=v]*\d+(?:\.[\dx*]+){1,3}(?:-[a-z]+[\d.]*)?$/i
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$|^\d+(?:ms|s|m|h|d|px|%|em|rem|kb|mb|gb)$/i
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const HASH = /^(?:sha\d+[-:]\S+|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i
