import type { SearchView, WordField } from '../archive/archive.ts'
import { scan } from '../model/scan.ts'
import { termsOfRun, termsOfWord } from '../model/terms.ts'
import type { MessageFilter } from './filter.ts'
import { AT_ONCE, withAll } from './phrase.ts'

/** Of so many messages the text is looked at for each, newest first. */
const MOST_READ = { said: 300, title: 300, thought: 60, tools: 100 }
const MOST_IDENTIFIERS = 8
const SHORTEST = 3
const LONGEST = 200

/**
 * What in a text is a name, path or code, to be found as it stands: `E_WOMBAT_4471`, `worker-500`,
 * `operations.rs:990`, `--test-name-pattern`, `utf8mb4`, a hash, a version, the place in a stack trace.
 */
export function identifiersIn(text: string): string[] {
  const found = new Set<string>()
  for (const [chunk] of text.matchAll(/[^\s"“”«»`,;]+/gu)) {
    if (PLAIN_WORD.test(chunk)) continue
    const name = chunk.replace(/^[^\p{L}\p{N}/_.-]+|[^\p{L}\p{N}/_)]+$/gu, '').replace(/^\((.*)\)$/, '$1')
    const bare = name.replace(/\)+$/, (end) => (name.includes('(') ? end : ''))
    if (isIdentifier(bare)) found.add(bare)
    if (found.size === MOST_IDENTIFIERS) break
  }
  return [...found]
}

/** Most words of most queries: the expressions below need not be compiled for them. */
const PLAIN_WORD = /^[A-Za-z]?[a-z]*[.?!]?$/

function isIdentifier(name: string): boolean {
  if (name.length < SHORTEST || name.length > LONGEST || !/[\p{L}\p{N}]/u.test(name)) return false
  // A day or a time of day, a number, a word with a hyphen: all of these are written in prose.
  if (/^[\d.,:%-]+$/.test(name)) return /^\d+\.\d+\.\d+$/.test(name)
  if (/^\p{L}+(?:[-'’.]\p{L}+)?\.?$/u.test(name)) return /\p{Ll}\p{Lu}/u.test(name)
  if (/^\d+(?:st|nd|rd|th|s|ms|x|k|kb|mb|gb|h|m|am|pm)$/i.test(name)) return false
  return /[_/\\:#@]|\.\p{L}|\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}|^--?\p{L}|-.*-|-\d|\d-|\d\.\d/u.test(name)
}

/** The messages that have a name whole in one of the fields; for titles, the chats. */
export function messagesWithWhole(
  view: SearchView,
  name: string,
  fields: WordField[],
  filter: MessageFilter,
): { field: WordField; keys: Int32Array }[] {
  const terms = termsOf(name)
  if (terms.length === 0) return []
  const whole = wholeIn(name)
  return fields.map((field) => {
    const candidates = withAll(view, field, terms)
      .filter((key) => (field === 'title' ? filter.passesChat(key) : !filter.narrows || filter.passes(key)))
      .sort()
      .reverse()
      .subarray(0, MOST_READ[field])
    const keys: number[] = []
    for (let from = 0; from < candidates.length; from += AT_ONCE) {
      const some = [...candidates.subarray(from, from + AT_ONCE)]
      const texts = view.fieldTexts(field, some)
      keys.push(...some.filter((key) => whole.test(texts.get(key) ?? '')))
    }
    return { field, keys: Int32Array.from(keys) }
  })
}

/** As it stands, in any case, not within a longer name: `worker-50` is not in `worker-500`. */
function wholeIn(name: string): RegExp {
  const literal = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'iu')
}

function termsOf(name: string): string[] {
  const terms: string[] = []
  scan(name, {
    word: (start, end) => terms.push(...termsOfWord(name.slice(start, end)).slice(0, 1)),
    run: (start, end) => {
      const { pairs, characters } = termsOfRun(name.slice(start, end))
      terms.push(...(pairs.length > 0 ? pairs : characters))
    },
  })
  return terms
}
