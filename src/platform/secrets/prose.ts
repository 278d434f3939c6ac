import { isMixed, isWords } from './chance.ts'
import { beginsAt, isWordCode } from './edges.ts'
import type { Rule, Span } from './span.ts'
import { isSecretValue } from './values.ts'

/**
 * What people say: "the password is …", «пароль от базы — …», 密码是…. Between the word and the
 * secret are at most six words, and what is taken for a secret looks made, not written.
 */
const WORDS =
  'password passphrase passcode passwd passwrd pswd pword pwd pw pass|api key|access key|secret key|private key|signing key|license key|recovery code|backup code|2fa secret|totp secret|secret|token|credentials creds|passwort kennwort zugangscode passphrase schlüssel zugangsschlüssel|zugangstoken|zugriffstoken|geheimnis|пароль пароля паролю паролем пароле пароли пасс пассворд кодовая|токен токена токеном|ключ ключом|секрет|密码 密碼 口令 令牌 密钥 密鑰 密匙 暗号 通行证|contraseña|clave|clé|chiave|mot de passe|mdp|senha|palavra-passe|hasło hasłem|heslo|wachtwoord|parola|şifre|lösenord|salasana|パスワード|비밀번호'
    .split(/[ |]/)
    .filter(
      (word) =>
        ![
          'api',
          'access',
          'secret',
          'private',
          'signing',
          'license',
          'recovery',
          'backup',
          '2fa',
          'totp',
          'mot',
          'de',
          'passe',
          'key',
          'code',
        ].includes(word),
    )
    .concat([
      'api key',
      'access key',
      'secret key',
      'private key',
      'signing key',
      'license key',
      'recovery code',
      'backup code',
      'secret',
      'mot de passe',
      'the key',
    ])

export const PROSE: Rule[] = [...new Set(WORDS)].map((literal) => ({
  literal,
  find: (text, from, to) => saidSecret(text, from, to) ?? askedBefore(text, from, to),
}))

export const PAIRS: Rule[] = [
  'credentials',
  'creds',
  'login',
  'log in',
  'use',
  'zugangsdaten',
  'anmeldedaten',
  'login-daten',
  'доступ',
  'доступы',
  'логин',
  'учётка',
  'учетка',
  '账号',
  '帐号',
  '凭据',
].map((literal) => ({ literal, find: pairedSecret }))

/** The other way round: "use … as the password", 用…作为密码. */
export const BEFORE: Rule[] = [
  'as the password',
  'as password',
  'as my password',
  'as your password',
  'as a password',
  'as the passphrase',
  'as the api key',
  'as the token',
  'as the secret',
  'for the password',
  'is the password',
  'is my password',
  'is the api key',
  'is the token',
  'is our password',
  'als passwort',
  'als kennwort',
  'ist das passwort',
  'ist mein passwort',
  'ist das kennwort',
  'как пароль',
  'в качестве пароля',
  'это пароль',
  'мой пароль',
  '作为密码',
  '作為密碼',
  '当密码',
  '做密码',
  '是密码',
  '是我的密码',
  'como contraseña',
  'es la contraseña',
  'comme mot de passe',
  'est le mot de passe',
].map((literal) => ({ literal, find: secretBefore }))

/** What is typed in, and what asks for it: "enter … when it asks for the password". */
const ASKED =
  /(?:enter|type|use|try|give|put|введи|вводи|набери|gib|tippe|输入)\s{0,2}["'`“„«]?([^\s,，。；;"'`“”„«»（）()<>|:：\p{Script=Han}]{6,128})["'`”“»]?,?\s?(?:\p{L}+\s){1,8}$/iu

/** What is right before the word in such a sentence. */
const ASKING = /(?:the|your|my|our|its|a|for|das|dein|einem|просит|спросит|ввести)\s$/i

function askedBefore(text: string, from: number, to: number): Span | undefined {
  if (!ASKING.test(text.slice(Math.max(0, from - 6), from)) || !standsAlone(text, from, to)) return undefined
  const start = Math.max(0, from - 120)
  const line = text.slice(start, from)
  const found = ASKED.exec(line.slice(line.lastIndexOf('\n') + 1))
  if (
    !found?.[1] ||
    !/\b(?:ask|prompt|want|need|request|as|for|fragt|verlangt|просит|спросит)/iu.test(found[0])
  )
    return undefined
  const at = from - found[0].length + found[0].indexOf(found[1])
  return made(text, at, at + found[1].length, false)
}

function secretBefore(text: string, from: number, to: number): Span | undefined {
  if (text.charCodeAt(from) < 128 && isWordCode(text.charCodeAt(to))) return undefined
  const start = Math.max(0, from - 140)
  const found = /([^\s,，。；;、"'`“”„«»（）()<>|:：\p{Script=Han}]{6,128})["'`”“»」]?[ \t]{0,2}$/u.exec(
    text.slice(start, from),
  )
  if (!found?.[1]) return undefined
  const at = start + found.index
  return made(text, at, at + found[1].length, false)
}

/** Words that lead from the name to the value. */
const LEADING = new Set(
  `is was are be been to as = == : - – — will now set for the a an of it its it's this that here with and new current changed updated reset again equals still just simply
  lautet ist war wurde auf für von der die das dem den zu zum zur als neu mit nun jetzt heißt im am in an lauten
  это от к на для в с из у был была стал станет теперь новый такой вот есть будет равен по
  是 为 為 es era son para del de la el est pour du le é foi da do jest to voor van är`.split(/\s+/),
)
/** Between two words of a sentence. */
const GAP = /[\s:：=—–(（"'`“”„«»*,，、]{0,5}(?:->|→|(?<=\S[ \t])-(?=[ \t]))?[\s"'`“„«*]{0,3}/y
/** Chinese and Japanese have no blanks between words. */
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,10}[\s:：“"'`「]{0,3}/uy
const WORD = /[^\s\\,，。；;、"'`“”„«»（）()<>|\p{Script=Han}]{1,256}/uy
const PAIR = /[\s:：—-]{1,4}(?:\p{L}{2,12}\s){0,2}["'`]?[\p{L}\p{N}._@+-]{2,48}["'`]?\s?[/:|]\s?["'`]?/uy
const MOST_WORDS = 6
/** Of these, words that say something of their own: "for the staging box". */
const MOST_OTHERS = 3

function saidSecret(text: string, from: number, to: number): Span | undefined {
  if (!standsAlone(text, from, to) || !isFollowedByMade(text, to)) return undefined
  let at = to
  let others = 0
  let isLed = false
  for (let words = 0; words <= MOST_WORDS; words++) {
    const gap = gapAt(text, at)
    if (!gap) return undefined
    at = gap.to
    if (gap.isLead) isLed = true
    const word = wordAt(text, at)
    if (!word) return undefined
    const said = text.slice(at, word)
    const isPlain = /^[A-Za-z]+$/.test(said) || /^\p{L}+(?:['’-]\p{L}+)*$/u.test(said)
    if (!isPlain && !/^\d{1,6}$/.test(said)) return made(text, at, word, isLed || others === 0)
    isLed = LEADING.has(said.toLowerCase())
    if (!isLed && ++others > MOST_OTHERS) return undefined
    at = word
  }
  return undefined
}

/**
 * Whether the first of the next words that is not a plain one may have been made up: a glance that spares most of the
 * work. What is not ASCII is left to the patterns.
 */
function isFollowedByMade(text: string, from: number): boolean {
  let at = from
  for (let words = 0; words <= MOST_WORDS; words++) {
    while (isGapCode(text.charCodeAt(at))) at++
    const start = at
    let [letters, digits, signs] = [0, 0, 0]
    for (; at < text.length && at - start < 256; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) return true
      if (isGapCode(code) ? code !== 58 && code !== 61 && code !== 42 : isEndCode(code)) break
      if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) letters++
      else if (code >= 48 && code <= 57) digits++
      else if (code !== 46 && code !== 58) signs++
    }
    const length = at - start
    if (length === 0) return false
    // A dash, an arrow.
    if (letters + digits === 0 && length <= 2) continue
    const isPlain =
      letters === length ||
      (digits === length && digits <= 6) ||
      (digits === 0 && isPlainRun(text, start, at))
    if (!isPlain) return length >= 6 && letters > 0 && digits + signs > 0
  }
  return false
}

/** Blanks and `:="'*(,` and the like. */
function isGapCode(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 58 ||
    code === 61 ||
    code === 34 ||
    code === 39 ||
    code === 96 ||
    code === 42 ||
    code === 40 ||
    code === 44
  )
}

/** `)`, `;`, `<`, `>`, `|` and a backslash. */
function isEndCode(code: number): boolean {
  return code === 41 || code === 59 || code === 60 || code === 62 || code === 124 || code === 92
}

/** Letters with a dash or the end of a sentence. */
function isPlainRun(text: string, from: number, to: number): boolean {
  return /^[A-Za-z]+(?:-[A-Za-z]+)*[.:]*$/.test(text.slice(from, to))
}

/** `bob / Winter2026!` behind "credentials", "use", "Zugangsdaten". */
function pairedSecret(text: string, from: number, to: number): Span | undefined {
  if (!standsAlone(text, from, to)) return undefined
  PAIR.lastIndex = to
  if (!PAIR.test(text)) return undefined
  const at = PAIR.lastIndex
  const end = wordAt(text, at)
  return end ? made(text, at, end, true) : undefined
}

/** The word itself, and not a piece of another. */
function standsAlone(text: string, from: number, to: number): boolean {
  const isLatin = text.charCodeAt(from) < 128
  if (!isLatin) return true
  if (isWordCode(text.charCodeAt(to))) return false
  const last = from === 0 ? 32 : text.charCodeAt(from - 1)
  if (last < 128 && last !== 45 && !isWordCode(last)) return true
  const before = text.slice(Math.max(0, from - 2), from)
  // "WLAN-Passwort", "Datenbankpasswort".
  if (/\p{L}-$/u.test(before)) return true
  if (/\p{Ll}$/u.test(before)) return /^(?:passwort|kennwort|schlüssel)$/.test(text.slice(from, to))
  return beginsAt(text, from) && !/\p{L}$/u.test(before)
}

/** What may be between two words of a sentence; never its end. */
function gapAt(text: string, at: number): { to: number; isLead: boolean } | undefined {
  GAP.lastIndex = at
  GAP.test(text)
  const to = GAP.lastIndex || at
  const between = text.slice(at, to)
  if (to >= text.length || /\n\s*\n/.test(between)) return undefined
  // Chinese and Japanese have no blanks between words.
  HAN.lastIndex = to
  const isHan = HAN.test(text)
  return { to: isHan ? HAN.lastIndex : to, isLead: isHan || /[:：=—–"'`“„«→]|\s-\s/.test(between) }
}

/** The end of a word that begins here. */
function wordAt(text: string, at: number): number | undefined {
  WORD.lastIndex = at
  if (!WORD.test(text)) return undefined
  let end = WORD.lastIndex
  while (end > at && /[.:]/.test(text.charAt(end - 1))) end--
  return end > at ? end : undefined
}

function made(text: string, from: number, to: number, isLed: boolean): Span | undefined {
  const value = text.slice(from, to)
  if (value.length < 6 || value.length > 200 || !isMade(value, isLed)) return undefined
  const isSecret = isSecretValue('password', value, { quoted: false, setting: true, inSentence: false })
  return isSecret ? { from, to, kind: 'password' } : undefined
}

/** Letters with digits or signs inside: no number, address, path, file or pair of words. */
function isMade(value: string, isLed: boolean): boolean {
  if (!isMixed(value) || /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value) || /^[\d.,:]+\p{L}{0,3}$/u.test(value))
    return false
  if (/^(?:https?|file|ssh|git):|^[#@$/~.\\-]|[/\\].*[/\\]|\.\p{L}{1,5}$|^\p{L}+\/\p{L}+$/u.test(value))
    return false
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) || /^\[.*\]$/.test(value)) return false
  if (/^\p{L}+[-_]?\d{1,3}$/u.test(value) && value.length < 8) return false
  // Names of things kept under keys: `user:42:name`.
  if (/^[a-z_]+(?::[\w*-]+){2,}$/.test(value)) return false
  // Shares, and tags of images: `12.5k/200k`, `22-alpine3.20`.
  if (/^[\d.,]+\p{L}{0,2}\/[\d.,]+\p{L}{0,2}$|^\d[\w.]*-[a-z]+[\d.]*$/u.test(value)) return false
  if (/^(?:ctrl|cmd|alt|shift|meta|super)[+-]|^\d\p{Lu}\p{Ll}+$/iu.test(value)) return false
  if (/^[+*&=:]|^[a-z]+\d{0,4}[a-z]*(?:-[a-z]+)+$|^[A-Z_]+\*?$|^\p{L}+[:*-]+$/u.test(value)) return false
  if (/^\p{L}+[!?]+$|^[\w$.]+=(?:[\p{L}_$.]+|\d+)$|^[\p{L}_$.]+=$/u.test(value)) return false
  // Words with a number: "Winter-2026" is one only where a secret is expected.
  if (isWords(value)) return isLed && /^\p{Lu}\p{Ll}+[-_.]?\d{2,4}$/u.test(value)
  return true
}
