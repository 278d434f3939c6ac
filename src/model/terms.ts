import { stem } from './stem.ts'

/**
 * The terms under which a word is found: its stem, and for names like `parseHTTPHeader2` or
 * versions like `1.2.3` their parts as well. The first is the word itself. Case and diacritics are
 * folded, ё is е. Nothing for what nobody looks for (base64, runs over 64 characters).
 */
export function termsOfWord(word: string): string[] {
  return termsOfFolded(word, folded(word))
}

/** The same for a word that was folded already. */
export function termsOfFolded(word: string, whole: string): string[] {
  if (word.length > LONGEST || isNoise(word)) return []
  if (whole === '' || whole.length > LONGEST) return []
  const terms = [stem(whole)]
  if (HAS_PARTS.test(word)) {
    for (const part of partsOf(word)) {
      const term = stem(folded(part))
      if (term.length > 1 && !terms.includes(term)) terms.push(term)
    }
  }
  return terms
}

/** A word without what writers vary: case, accents, apostrophes. Not yet stemmed. */
export function folded(word: string): string {
  let result = word
  if (RUSSIAN.test(word)) {
    const lower = word.toLowerCase()
    return lower.includes('ё') ? lower.replaceAll('ё', 'е') : lower
  }
  if (!ASCII.test(word)) {
    result = result.normalize('NFKC').toLowerCase()
    if (CYRILLIC.test(result)) result = result.normalize('NFC').replaceAll('ё', 'е')
    else if (HAS_ACCENT.test(result.normalize('NFD'))) result = result.normalize('NFD').replace(ACCENTS, '')
    result = result.replaceAll('’', "'").replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ł', 'l')
  } else result = result.toLowerCase()
  if (!result.includes("'")) return result
  return result.replace(/'s$/, '').replaceAll("'", '')
}

/** The terms of a run of characters without spaces: every character, and every two that stand together. */
export function termsOfRun(run: string): { pairs: string[]; characters: string[] } {
  const characters = [...run.normalize('NFKC')]
  const pairs = characters.slice(1).map((character, i) => characters[i]! + character)
  return { pairs, characters }
}

const LONGEST = 64
const NOISE_FROM = 24
const NOISE_CHANGES = 0.45
const MOST_PARTS = 8
const ASCII = /^[\x00-\x7f]*$/
const RUSSIAN = /^[А-Яа-яЁё]+$/
const CYRILLIC = /\p{Script=Cyrillic}/u
// Greek and Latin accents; in other scripts marks are letters.
const HAS_ACCENT = /[\u0300-\u036f]/
const ACCENTS = /[\u0300-\u036f]/g
const HAS_PARTS = /[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2}[a-z]|\./
const BOUNDARY = /\.|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/
/** The same for all letters: V8 takes a millisecond to compile it. */
const ANY_BOUNDARY =
  /\.|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u
const HEXADECIMAL = /^(?:[0-9a-f]{6,}|[0-9A-F]{6,})$/

function partsOf(word: string): string[] {
  if (HEXADECIMAL.test(word)) return []
  const version = /^v(\d[\d.]*)$/i.exec(word)
  if (version) return [version[1]!]
  const parts = word.split(ASCII.test(word) ? BOUNDARY : ANY_BOUNDARY)
  return parts.length > 1 && parts.length <= MOST_PARTS ? parts : []
}

/** Looks like base64: both cases and digits, and the kind of character changes all the time. */
function isNoise(word: string): boolean {
  if (word.length < NOISE_FROM || !/[a-z]/.test(word) || !/[A-Z]/.test(word) || !/\d/.test(word)) return false
  let changes = 0
  let before = -1
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    const kind = code < 58 ? 0 : code < 91 ? 1 : 2
    if (kind !== before) changes++
    before = kind
  }
  return changes > word.length * NOISE_CHANGES
}
