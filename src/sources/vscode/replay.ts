import { type Json, list, object } from '../json.ts'

const INITIAL = 0
const SET = 1
const PUSH = 2
const DELETE = 3

/** No session has more of anything; a larger index comes from a damaged file. */
export const MAX_INDEX = 100_000
const MAX_PATH = 64

/** The session that the entries of a mutation log (VS Code 1.109 and later) add up to. */
export function replay(entries: Iterable<unknown>): Json | undefined {
  let session: Json | undefined
  for (const entry of entries) session = applied(session, entry)
  return session
}

/**
 * The session after one more entry; entries that make no sense change nothing. A log that lost its
 * first entry starts from an empty session: VS Code refuses such a file, but the rest is worth having.
 */
export function applied(session: Json | undefined, entry: unknown): Json | undefined {
  const { kind, k, v, i } = object(entry) ?? {}
  if (kind === INITIAL) return object(v) ?? session
  const path = pathOf(k)
  if (!path || (kind !== SET && kind !== PUSH && kind !== DELETE)) return session
  const root = session ?? { requests: [] }
  const parent = walk(root, path)
  const key = path.at(-1)!
  if (!parent || !fits(parent, key)) return root
  const slots = parent as Record<string | number, unknown>
  if (kind === SET) slots[key] = v
  else if (kind === DELETE) slots[key] = undefined
  else slots[key] = pushed(Object.hasOwn(parent, key) ? slots[key] : undefined, list(v), i)
  return root
}

/** The path of an entry, when it is one that may be followed. */
export function pathOf(k: unknown): (string | number)[] | undefined {
  if (!Array.isArray(k) || k.length === 0 || k.length > MAX_PATH) return undefined
  for (const key of k) {
    const isIndex = Number.isInteger(key) && key >= 0 && key <= MAX_INDEX
    if (!isIndex && (typeof key !== 'string' || key === '__proto__')) return undefined
  }
  return k
}

function walk(root: Json, path: (string | number)[]): object | undefined {
  let current: object = root
  for (let step = 0; step < path.length - 1; step++) {
    const key = path[step]!
    if (!fits(current, key)) return undefined
    const slots = current as Record<string | number, unknown>
    let next = Object.hasOwn(current, key) ? slots[key] : undefined
    if (next === undefined || next === null) {
      next = typeof path[step + 1] === 'number' ? [] : {}
      slots[key] = next
    }
    if (typeof next !== 'object') return undefined
    current = next as object
  }
  return current
}

/** A list is addressed by numbers only: its `length` is not for a file to set. */
function fits(parent: object, key: string | number): boolean {
  return !Array.isArray(parent) || typeof key === 'number'
}

/** In place: a streamed answer is pushed to hundreds of times. */
function pushed(before: unknown, values: unknown[], keep: unknown): unknown[] {
  const after = Array.isArray(before) ? before : []
  if (typeof keep === 'number' && keep >= 0 && keep < after.length) after.length = Math.floor(keep)
  for (const value of values) after.push(value)
  return after
}
