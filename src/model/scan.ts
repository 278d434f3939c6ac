/** What a text is made of, as far as search goes: words, and runs of characters written without spaces. */
export interface Pieces {
  /** Letters, digits and marks; also `don't` and `1.2.3`. */
  word(start: number, end: number): void
  /** Chinese, Japanese, Korean, Thai …: where a word ends, only a dictionary knows. */
  run(start: number, end: number): void
}

const OTHER = 0
const WORD = 1
const UNSPACED = 2

/** Walks over a text once. Messages and queries are taken apart by this one function, so that what was written is found. */
export function scan(text: string, pieces: Pieces): void {
  const { length } = text
  let i = 0
  while (i < length) {
    const code = text.charCodeAt(i)
    const kind = code < 128 ? ASCII[code]! : kindOf(text, i, code)
    if (kind === OTHER) {
      i += isHighHalf(code) ? 2 : 1
      continue
    }
    const start = i
    i = kind === WORD ? endOfWord(text, i) : endOfRun(text, i)
    if (kind === WORD) pieces.word(start, i)
    else pieces.run(start, i)
  }
}

function endOfWord(text: string, start: number): number {
  const { length } = text
  let i = start + (isHighHalf(text.charCodeAt(start)) ? 2 : 1)
  let apostrophe = false
  while (i < length) {
    const code = text.charCodeAt(i)
    const kind = code < 128 ? ASCII[code]! : kindOf(text, i, code)
    if (kind === WORD) {
      i += isHighHalf(code) ? 2 : 1
      continue
    }
    const joins =
      code === DOT
        ? isDigit(text.charCodeAt(i - 1)) && isDigit(text.charCodeAt(i + 1))
        : (code === APOSTROPHE || code === QUOTE) &&
          !apostrophe &&
          isLetter(text, i - 1) &&
          isLetter(text, i + 1)
    if (!joins) break
    if (code !== DOT) apostrophe = true
    i += 2
  }
  return i
}

function endOfRun(text: string, start: number): number {
  let i = start
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code < 128 || kindOf(text, i, code) !== UNSPACED) break
    i += isHighHalf(code) ? 2 : 1
  }
  return i
}

const DOT = 46
const APOSTROPHE = 39
const QUOTE = 0x2019

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII[code] === WORD && !isDigit(code) : kindOf(text, at, code) === WORD
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? WORD : OTHER,
)

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const IS_UNSPACED = new RegExp(`[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}ー々〆]`, 'u')
const IS_WORD = /[\p{L}\p{N}\p{M}]/u

/** What most texts are made of is known from the start: having the expressions compiled takes a first search 2 ms. */
const KNOWN: [from: number, to: number, kind: number][] = [
  [0xc0, 0xd6, WORD], // À to Ö
  [0xd8, 0xf6, WORD],
  [0xf8, 0x24f, WORD],
  [0x400, 0x481, WORD], // Cyrillic
  [0x48a, 0x52f, WORD],
  [0x2010, 0x2027, OTHER], // dashes, quotes, …
  [0x2190, 0x22ff, OTHER], // arrows, mathematics
  [0x2500, 0x2775, OTHER], // boxes, ticks
  [0x3000, 0x3003, OTHER], // 、。
  [0x3008, 0x3020, OTHER],
  [0x3041, 0x3096, UNSPACED], // Hiragana
  [0x30a1, 0x30fa, UNSPACED], // Katakana
  [0x4e00, 0x9fff, UNSPACED], // Chinese characters
  [0xac00, 0xd7a3, UNSPACED], // Hangul
  [0xff01, 0xff0f, OTHER], // ！（），
]

/** What each character of the basic plane is; 255 until it is met. */
const KINDS = new Uint8Array(65_536).fill(255)
for (const [from, to, kind] of KNOWN) KINDS.fill(kind, from, to + 1)

/** Stretches of the basic plane, both ends inclusive, that are letters all of them (1 and 2, as `kindAt` tells), or none of them anything of a word. */
export function knownKinds(): readonly [from: number, to: number, kind: number][] {
  return KNOWN
}

/** Whether a piece of a word stands there (1), of a run (2), or neither (0). */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII[code]! : kindOf(text, at, code)
}

/** Whether a letter, a digit or a mark stands there; half of a character is none. */
export function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return ASCII[code] !== OTHER
  return (code < 0xd800 || code >= 0xe000) && kindOf(text, at, code) !== OTHER
}

function kindOf(text: string, at: number, code: number): number {
  if (code >= 0xd800 && code < 0xe000) {
    const point = text.codePointAt(at)!
    return point > 0xffff ? classify(String.fromCodePoint(point)) : OTHER
  }
  const known = KINDS[code]!
  if (known !== 255) return known
  const kind = classify(String.fromCharCode(code))
  KINDS[code] = kind
  return kind
}

function classify(character: string): number {
  if (!IS_WORD.test(character)) return OTHER
  return IS_UNSPACED.test(character) ? UNSPACED : WORD
}
