import type { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { MALFORMED } from './failure.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** A value as its schema wants it, out of what people and models write for it; itself where nothing fits. */
export function meantBy(value: unknown, wanted: JsonSchema | boolean | undefined): unknown {
  if (wanted === undefined || typeof wanted === 'boolean' || value === undefined || value === null)
    return value
  const { anyOf, type, items } = wanted
  if (anyOf) {
    const kinds = anyOf.map((each) => meantBy(value, each))
    return kinds.find((each, i) => fits(each, anyOf[i])) ?? value
  }
  if (wanted.enum) return wordOf(value, wanted.enum) ?? value
  switch (type) {
    case 'array':
      return listOf(value).map((each) => meantBy(each, Array.isArray(items) ? undefined : items))
    case 'number':
    case 'integer':
      return numberOf(value) ?? value
    case 'boolean':
      return flagOf(value) ?? value
    case 'object':
      return typeof value === 'string' ? (parsed(value, '{') ?? value) : value
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    default:
      return value
  }
}

function fits(value: unknown, wanted: JsonSchema | boolean | undefined): boolean {
  if (wanted === undefined || typeof wanted === 'boolean') return true
  if (wanted.enum) return wanted.enum.some((word) => word === value)
  switch (wanted.type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === wanted.type
  }
}

/** `a`, `a, b`, `["a","b"]`: a list in words. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  const list = parsed(value, '[')
  if (Array.isArray(list)) return list
  const text = value.trim()
  return text === '' ? [] : text.split(/\s*,\s*/).filter(Boolean)
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return { true: true, yes: true, on: true, '1': true, false: false, no: false, off: false, '0': false }[
    String(value).trim().toLowerCase()
  ]
}

/** One of the words, however it is written: `Markdown`, `finetune openai`. */
function wordOf(value: unknown, words: readonly unknown[]): unknown {
  const plain = (word: unknown) =>
    String(word)
      .toLowerCase()
      .replace(/[\s_-]+/g, '')
  return words.find((word) => word === value) ?? words.find((word) => plain(word) === plain(value))
}

function parsed(text: string, begins: string): unknown {
  if (!text.trimStart().startsWith(begins)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is allowed, in words: `markdown, json or html`, `a whole number from 1 to 20`. */
export function allowed(wanted: JsonSchema | boolean | undefined): string | undefined {
  if (wanted === undefined || typeof wanted === 'boolean') return undefined
  if (wanted.anyOf) {
    const kinds = wanted.anyOf.map(allowed).filter((each) => each !== undefined)
    return [...new Set(kinds)].join(', or ') || undefined
  }
  if (wanted.enum) return `one of ${wanted.enum.join(', ')}`
  switch (wanted.type) {
    case 'array': {
      const each = Array.isArray(wanted.items) ? undefined : allowed(wanted.items)
      const { minItems = 0, maxItems } = wanted
      const many = maxItems === undefined ? '' : ` of ${minItems} to ${maxItems}`
      return `a list${many}${each ? `, each ${each}` : ''}`
    }
    case 'integer':
    case 'number': {
      const { minimum, maximum } = wanted
      const from =
        minimum !== undefined && Math.abs(minimum) < Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ''
      const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : ''
      return `a ${wanted.type === 'integer' ? 'whole ' : ''}number${from}${to}`
    }
    case 'boolean':
      return 'true or false'
    case 'object':
      return wanted.properties ? `{ ${Object.keys(wanted.properties).join(', ')} }` : 'an object'
    case 'string': {
      const { minLength, maxLength, pattern } = wanted
      const most = maxLength === undefined ? '' : ` of at most ${maxLength} characters`
      return `a text${most}${minLength || pattern === '\\S' ? ' that is not empty' : ''}`
    }
    default:
      return undefined
  }
}

/** Arguments must be an object; some write it as a text. */
export function asObject(given: unknown): Record<string, unknown> {
  const object = typeof given === 'string' ? parsed(given, '{') : (given ?? {})
  if (typeof object === 'object' && object !== null && !Array.isArray(object))
    return object as Record<string, unknown>
  throw new RecollectError(MALFORMED, 'The arguments are not an object.', 'Give them by name, as JSON.')
}
