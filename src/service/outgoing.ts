import type { Clean } from '../capabilities/capability.ts'
import { redactJson } from '../platform/redact.ts'
import type { Caller } from './caller.ts'
import { demand } from './rights.ts'

export interface Outgoing {
  /** For the capability: whatever it cuts goes through this first. */
  clean: Clean
  /** For the whole answer, when it is done: what went through `clean` and was not changed since is not looked at again. */
  finish: Clean
}

/** Unredacted text goes to the owner only, by an explicit act. */
export function outgoingFor(caller: Caller, asked = caller.reveal === true): Outgoing {
  if (!asked) return redacting()
  demand(caller, ['reveal'])
  return { clean: (value) => value, finish: (value) => value }
}

export function cleanerFor(caller: Caller, asked = caller.reveal === true): Clean {
  return outgoingFor(caller, asked).clean
}

/** Shorter than this nothing is a secret. */
const SHORTEST = 8

function redacting(): Outgoing {
  const known = new Set<string>()
  return {
    clean(value) {
      const redacted = redactJson(value)
      note(redacted, known)
      return redacted
    },
    finish: (value) => finished(value, '', known) as typeof value,
  }
}

function note(value: unknown, known: Set<string>): void {
  if (typeof value === 'string') known.add(value)
  else if (value && typeof value === 'object') for (const each of Object.values(value)) note(each, known)
}

function finished(value: unknown, name: string, known: Set<string>): unknown {
  if (typeof value === 'string')
    return value.length < SHORTEST || known.has(value) ? value : redactJson({ [name]: value })[name]
  if (Array.isArray(value)) return value.map((each) => finished(each, name, known))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, finished(each, key, known)]))
}
