import { isMixed } from './chance.ts'
import { strengthOf } from './names.ts'
import type { Span } from './span.ts'

/**
 * The user's own keys: whatever their form, they are masked wherever they occur, also as a provider
 * echoes them in an error. Kept in memory only.
 */
const own = new Set<string>()
let hasEnvironment = false

const SHORTEST = 8

/** Masks these from now on; values too plain to be told from words are left out. */
export function guardSecrets(values: Iterable<string | undefined>): void {
  for (const value of values) {
    if (
      value === undefined ||
      value.length < SHORTEST ||
      !isMixed(value) ||
      /^(?:[./~]|\w+:\/\/)/.test(value)
    )
      continue
    own.add(value)
    own.add(Buffer.from(value).toString('base64'))
    own.add(encodeURIComponent(value))
  }
}

export function ownSecretsIn(text: string): Span[] {
  if (!hasEnvironment) {
    hasEnvironment = true
    guardSecrets(secretVariables(process.env))
  }
  return own.size === 0 ? [] : occurrences(text, own, 'own key')
}

export function occurrences(text: string, values: Iterable<string>, kind: string): Span[] {
  const found: Span[] = []
  for (const value of values) {
    for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + value.length)) {
      found.push({ from, to: from + value.length, kind })
    }
  }
  return found
}

function secretVariables(environment: NodeJS.ProcessEnv): (string | undefined)[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const strength = strengthOf(name)
    return strength === 'password' || strength === 'key' ? [value] : []
  })
}
