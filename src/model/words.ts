/**
 * Text as it goes into the word index and as queries are taken apart: one function for both, so
 * that what was written is found. The index's own tokenizer then splits at anything that is
 * neither letter nor digit, and folds case and diacritics.
 *
 * - Chinese, Japanese and Korean runs become overlapping pairs of characters (no dictionary needed).
 * - camelCase names are found whole and by part; the parts stand at the end, so that phrases keep
 *   their word distances.
 * - ё is е. Runs that no person looks for (base64, hashes over 64 characters) are left out.
 */
export function indexable(text: string): string {
  let result = text
  if (HAS_BLOB.test(result)) result = result.replace(BLOB, ' ')
  if (HAS_YO.test(result)) result = result.replaceAll('ё', 'е').replaceAll('Ё', 'Е')
  if (HAS_CJK.test(result)) result = result.replace(CJK_RUN, (run) => ` ${characterPairs(run).join(' ')} `)
  return result + nameParts(result)
}

/** A word of a query as the index knows it; `prefix` asks for every word that begins so. */
export interface QueryWord {
  word: string
  prefix?: true
}

/** The words of a query, in order. */
export function queryWords(text: string): QueryWord[] {
  const words: QueryWord[] = []
  const folded = text.normalize('NFC').toLowerCase().replaceAll('ё', 'е')
  for (const [run] of folded.matchAll(WORD)) {
    for (const part of run.split(CJK_SPLIT)) {
      if (part === '') continue
      if (!HAS_CJK.test(part)) words.push({ word: part })
      else if ([...part].length === 1) words.push({ word: part, prefix: true })
      else
        words.push(
          ...characterPairs(part)
            .slice(0, -1)
            .map((word) => ({ word })),
        )
    }
  }
  return words
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー'
const HAS_CJK = new RegExp(`[${CJK}]`, 'u')
const CJK_RUN = new RegExp(`[${CJK}]+`, 'gu')
const CJK_SPLIT = new RegExp(`([${CJK}]+)`, 'u')
const HAS_YO = /[ёЁ]/
const HAS_BLOB = /[A-Za-z0-9+/=_-]{160}/
const BLOB = /[A-Za-z0-9+/=_-]{160,}/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const CAMEL_NAME = /\b[A-Za-z]\w*[a-z0-9][A-Z]\w*/g

/** Overlapping pairs and the last character alone, so that any run of two or more is found whole. */
function characterPairs(run: string): string[] {
  const characters = [...run]
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

function nameParts(text: string): string {
  const names = text.match(CAMEL_NAME)
  if (!names) return ''
  let parts = '\n'
  for (const name of new Set(names))
    parts += ` ${name.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')}`
  return parts
}

/** The words in a JSON value: its strings and names, without quotes and escapes. */
export function wordsOfJson(value: unknown, most = 32_000): string {
  let text = ''
  const visit = (item: unknown, depth: number): void => {
    if (text.length >= most || depth > 16) return
    if (typeof item === 'string') text += `${item.slice(0, most - text.length)}\n`
    else if (typeof item === 'number') text += `${item}\n`
    else if (Array.isArray(item)) for (const each of item) visit(each, depth + 1)
    else if (item && typeof item === 'object') {
      for (const name in item) {
        text += `${name} `
        visit((item as Record<string, unknown>)[name], depth + 1)
      }
    }
  }
  visit(value, 0)
  return text
}
