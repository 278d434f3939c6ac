import { type Automaton, automaton } from './automaton.ts'
import { FORM_RULES } from './form-rules.ts'
import { GENERIC } from './generic.ts'
import { NAMED } from './named.ts'
import { ownSecretsIn } from './own.ts'
import { PLACE_RULES } from './places.ts'
import { PRIVATE_KEYS } from './private-keys.ts'
import { BEFORE, PAIRS, PROSE } from './prose.ts'
import { joined, type Rule, type Span } from './span.ts'

interface Finder {
  rules: Rule[][]
  words: Automaton
}

/** Words in Latin letters, and those of other scripts, which most texts have none of. */
let latin: Finder | undefined
let others: Finder | undefined

/** Every secret in a text, from left to right, none inside another. One pass, whatever the number of rules. */
export function findSecrets(text: string): Span[] {
  latin ??= finderOf(ASCII)
  const found: Span[] = ownSecretsIn(text)
  collect(latin, text, found)
  if (!ASCII.test(text)) {
    others ??= finderOf(NOT_ASCII)
    collect(others, text, found)
  }
  return found.length > 0 ? joined(found) : found
}

const ASCII = /^[\x00-\x7f]*$/
const NOT_ASCII = /[^\x00-\x7f]/
const ALL = [
  ...PRIVATE_KEYS,
  ...FORM_RULES,
  ...PLACE_RULES,
  ...NAMED,
  ...PROSE,
  ...BEFORE,
  ...PAIRS,
  ...GENERIC,
]

function finderOf(alphabet: RegExp): Finder {
  const byWord = new Map<string, Rule[]>()
  for (const rule of ALL) {
    const literal = rule.literal.toLowerCase()
    if (alphabet.test(literal)) byWord.set(literal, [...(byWord.get(literal) ?? []), rule])
  }
  return { rules: [...byWord.values()], words: automaton([...byWord.keys()]) }
}

function collect({ rules, words }: Finder, text: string, found: Span[]): void {
  words.scan(text, (word, end) => {
    for (const rule of rules[word] as Rule[]) {
      const span = rule.find(text, end - rule.literal.length, end)
      if (span) found.push(span)
    }
  })
}
