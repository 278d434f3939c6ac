import { type Automaton, automaton } from './automaton.ts'
import { decoded } from './encoded.ts'
import { FORM_RULES } from './form-rules.ts'
import { GENERIC } from './generic.ts'
import { NAMED } from './named.ts'
import { ownSecretsIn } from './own.ts'
import { PLACE_RULES } from './places.ts'
import { PRIVATE_KEYS } from './private-keys.ts'
import { BEFORE, PAIRS, PROSE } from './prose.ts'
import { linesOfStrings, putTogether, unescaped, unwrapped } from './readings.ts'
import { joined, type Rule, type Span } from './span.ts'
import { LISTS, mayHaveColumns, secretsInTables } from './tables.ts'

interface Finder {
  rules: Rule[][]
  words: Automaton
}

/** Of words in other scripts: the letters that they are told by, and how long such a word can be. */
interface OtherFinder extends Finder {
  letters: Set<string>
  longest: number
}

/** Words in Latin letters, and those of other scripts, which most texts have none of. */
let latin: Finder | undefined
let others: OtherFinder | undefined
let lists: Finder | undefined

/** Settings in base64 may hold some in base64. */
const DEEPEST = 2

/** Every secret in a text, from left to right, none inside another. One pass, whatever the number of rules, and some more over what can be read otherwise. */
export function findSecrets(text: string, depth = 0): Span[] {
  const found = foundIn(text)
  addFoundApart(text, found)
  for (const plain of unescaped(text)) {
    const within = foundIn(plain.text)
    addFoundApart(plain.text, within)
    found.push(...plain.spans(joined(within)))
  }
  if (text.includes('\\n') && mayHaveColumns(text))
    for (const lines of linesOfStrings(text)) found.push(...lines.spans(foundInColumns(lines.text)))
  if (depth < DEEPEST)
    for (const plain of decoded(text)) found.push(...plain.spans(findSecrets(plain.text, depth + 1)))
  return found.length > 0 ? joined(found) : found
}

/** What was taken apart: by who wrote it, or by the end of a line. */
function addFoundApart(text: string, found: Span[]): void {
  for (const reading of putTogether(text)) found.push(...reading.spans(joined(foundIn(reading.text))))
  for (const reading of unwrapped(text)) found.push(...reading.spans(joined(foundIn(reading.text))))
}

function foundIn(text: string): Span[] {
  latin ??= finderOf(ALL, ASCII)
  const found: Span[] = [...ownSecretsIn(text), ...secretsInTables(text)]
  collect(latin, text, found)
  if (NOT_ASCII.test(text)) {
    others ??= otherFinder()
    collectAround(others, text, found)
  }
  return found
}

function foundInColumns(text: string): Span[] {
  lists ??= finderOf(LISTS, ASCII)
  const found = secretsInTables(text)
  collect(lists, text, found)
  return joined(found)
}

const ASCII = /^[\x00-\x7f]*$/
const NOT_ASCII = /[^\x00-\x7f]/
const ALL = [
  ...PRIVATE_KEYS,
  ...FORM_RULES,
  ...PLACE_RULES,
  ...NAMED,
  ...LISTS,
  ...PROSE,
  ...BEFORE,
  ...PAIRS,
  ...GENERIC,
]

function otherFinder(): OtherFinder {
  const words = ALL.map(({ literal }) => literal.toLowerCase()).filter((literal) => NOT_ASCII.test(literal))
  const letters = words.flatMap((word) => [...word, ...word.toUpperCase()])
  return {
    ...finderOf(ALL, NOT_ASCII),
    letters: new Set(letters.filter((letter) => NOT_ASCII.test(letter))),
    longest: Math.max(...words.map((word) => word.length)),
  }
}

function finderOf(all: Rule[], alphabet: RegExp): Finder {
  const byWord = new Map<string, Rule[]>()
  for (const rule of all) {
    const literal = rule.literal.toLowerCase()
    if (!alphabet.test(literal)) continue
    const same = byWord.get(literal)
    if (same) same.push(rule)
    else byWord.set(literal, [rule])
  }
  return { rules: [...byWord.values()], words: automaton([...byWord.keys()]) }
}

function collect({ rules, words }: Finder, text: string, found: Span[], from?: number, to?: number): void {
  const report = (word: number, end: number) => {
    for (const rule of rules[word] as Rule[]) {
      const span = rule.find(text, end - rule.literal.length, end)
      if (Array.isArray(span)) found.push(...span)
      else if (span) found.push(span)
    }
  }
  words.scan(text, report, from, to)
}

/** Only near letters of other scripts: in a text with a dash or two there is next to nothing to look at. */
function collectAround(finder: OtherFinder, text: string, found: Span[]): void {
  const { letters, longest } = finder
  const runs = /[^\x00-\x7f]+/g
  let from = 0
  let to = 0
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (!hasOneOf(letters, run[0])) continue
    if (run.index - longest > to) {
      if (to > from) collect(finder, text, found, from, to)
      from = run.index - longest
    }
    to = Math.min(text.length, runs.lastIndex + longest)
  }
  if (to > from) collect(finder, text, found, from, to)
}

function hasOneOf(letters: Set<string>, run: string): boolean {
  for (const letter of run) if (letters.has(letter)) return true
  return false
}
