import { dayOf } from '../model/day.ts'
import { RecollectError } from '../model/errors.ts'
import { redact } from '../platform/redact.ts'
import { MALFORMED } from './failure.ts'

/** A span of time: epoch milliseconds, both ends counted, either may be open. */
export interface Span {
  start?: number
  end?: number
}

const FORMS = 'Write a day as 2026-05-01, a span as 14d, 4w, 6m or "last week", or { start, end }.'

/** What people and models write for a time: `14d`, `last week`, `2026-05-01`, epoch milliseconds. */
export function spanOf(given: string, now = new Date()): Span {
  const text = given.trim().toLowerCase().replaceAll('_', ' ')
  if (/^(all|any|ever|always|all time)?$/.test(text)) return {}
  const back =
    /^(?:(?:last|past|previous|the last|the past)\s+)?(\d{1,5})\s*-?\s*(h|hours?|d|days?|w|weeks?|m|months?|mo|y|years?)(?:\s+ago)?$/.exec(
      text,
    )
  if (back) return { start: before(now, Number(back[1]), back[2]!) }
  const named = /^(this|last|past|previous)\s+(hour|day|week|month|year)$/.exec(text)
  if (named) return namedSpan(named[1]!, named[2]!, now)
  if (text === 'today') return spanOfDay(now)
  if (text === 'yesterday') return spanOfDay(moved(now, -1))
  const year = /^(\d{4})$/.exec(text)
  if (year) return { start: new Date(+text, 0, 1).getTime(), end: new Date(+text + 1, 0, 1).getTime() - 1 }
  const month = /^(\d{4})-(\d{2})$/.exec(text)
  if (month && +month[2]! >= 1 && +month[2]! <= 12) {
    const [first, next] = [0, 1].map((more) => new Date(+month[1]!, +month[2]! - 1 + more, 1).getTime())
    return { start: first, end: next! - 1 }
  }
  return momentSpan(given)
}

/** One end of a span. */
export function endOf(given: string | number, side: 'start' | 'end', now = new Date()): number | undefined {
  if (typeof given === 'number') return plausible(given, String(given))
  const span = spanOf(given, now)
  // "Since last week" begins with it; "until last week" ends with it. `14d` is a moment, not a span.
  return side === 'start' ? span.start : (span.end ?? span.start)
}

/** What is given as days, months or years is of those of the zone that is asked for. One that is unknown is refused later. */
export function inZone(span: Span, timeZone: unknown, given: unknown): Span {
  if (typeof timeZone !== 'string' || !/^\s*\d{4}(-\d\d?){0,2}\s*$/.test(String(given))) return span
  const ahead = (at: number) => Date.parse(`${new Date(at).toLocaleString('sv', { timeZone })}Z`) - at
  const moved = (at: number) => {
    const rest = at % 1000
    const wall = at - rest - new Date(at).getTimezoneOffset() * 60_000
    return wall - ahead(wall - ahead(wall)) + rest
  }
  try {
    return Object.fromEntries(Object.entries(span).map(([side, at]) => [side, moved(at)]))
  } catch {
    return span
  }
}

function momentSpan(given: string): Span {
  const text = given.trim()
  const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (day) {
    const [year, month, date] = [Number(day[1]), Number(day[2]), Number(day[3])]
    const at = new Date(year, month - 1, date)
    // 2026-02-31 is no day: the calendar would quietly make March of it.
    if (at.getMonth() !== month - 1 || at.getDate() !== date) throw noDate(given)
    return spanOfDay(at)
  }
  if (/^-?\d{5,}$/.test(text)) return { start: plausible(Number(text), given) }
  const isWritten = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)
  const at = isWritten ? Date.parse(text) : Number.NaN
  if (Number.isFinite(at)) return { start: at }
  throw noDate(given)
}

/** Seconds are not what is meant by a number, and neither is the year 60000. */
function plausible(at: number, given: string): number {
  if (Number.isFinite(at) && at >= 0 && at < 8.64e15 / 2) return at
  throw noDate(given)
}

function noDate(given: string): RecollectError {
  return new RecollectError(MALFORMED, `"${redact(given).slice(0, 100)}" is not a date.`, FORMS)
}

const HOURS: Record<string, number> = { h: 1, d: 24, w: 168 }

function before(now: Date, count: number, unit: string): number {
  const letter = unit[0]!
  if (letter === 'm') return monthsBefore(now, count)
  if (letter === 'y') return monthsBefore(now, 12 * count)
  return now.getTime() - count * HOURS[letter]! * 3_600_000
}

/** A month before the 31st of March is the last of February, which has no 31st. */
function monthsBefore(now: Date, count: number): number {
  const [year, month] = [now.getFullYear(), now.getMonth() - count]
  const days = new Date(year, month + 1, 0).getDate()
  return new Date(now).setFullYear(year, month, Math.min(now.getDate(), days))
}

function namedSpan(which: string, unit: string, now: Date): Span {
  if (unit === 'hour') return { start: now.getTime() - 3_600_000 }
  if (which === 'past' || unit === 'day') return { start: before(now, 1, unit) }
  const back = which === 'this' ? 0 : 1
  const starts = (steps: number): Date => {
    if (unit === 'year') return new Date(now.getFullYear() - steps, 0, 1)
    if (unit === 'month') return new Date(now.getFullYear(), now.getMonth() - steps, 1)
    // Weeks begin on Monday.
    return midnight(moved(now, -((now.getDay() + 6) % 7) - 7 * steps))
  }
  return { start: starts(back).getTime(), ...(back > 0 && { end: starts(back - 1).getTime() - 1 }) }
}

function spanOfDay(at: Date): Span {
  return { start: midnight(at).getTime(), end: midnight(moved(at, 1)).getTime() - 1 }
}

function midnight(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate())
}

function moved(at: Date, days: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
}

/** `2026-05-01`, in the user's time zone. */
export function written(at: number | undefined): string {
  return at === undefined ? '…' : dayOf(at)
}
