/** Careful steps into JSON that somebody else wrote: a wrong type is the same as nothing. */
export type Json = Record<string, unknown>

export function object(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; holes and other things are passed over. */
export function objects(value: unknown): Json[] {
  return list(value).filter((item) => object(item) !== undefined) as Json[]
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string with something in it. */
export function words(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A version as a file states it: `2.1.325`, or a number. A longer text is none. */
export function version(value: unknown): string | undefined {
  const text = number(value) === undefined ? words(value)?.trim() : `v${value}`
  return text !== undefined && text.length <= 40 ? text : undefined
}

/** A point in time, in epoch milliseconds: ISO text, milliseconds, or seconds. */
export function millis(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? millis(Number(value)) : Date.parse(value)
    return parsed !== undefined && parsed >= EARLIEST ? parsed : undefined
  }
  const stamp = number(value)
  if (stamp === undefined) return undefined
  const at = Math.round(stamp < 1e11 ? stamp * 1000 : stamp)
  return at >= EARLIEST ? at : undefined
}

/** Before this nobody talked to an assistant: an earlier time is one that was not set, like 1970. */
const EARLIEST = Date.UTC(2000, 0)

/** JSON that may be stored as text inside JSON: arguments of tool calls, mostly. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Text of any value, for people and for search; never throws, not even for deep nesting. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '[nested too deeply]'
  }
}
