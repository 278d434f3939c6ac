import type { UsageFilter, UsageGroup } from '../archive.ts'
import { SLOT_MS } from './kept-usage.ts'

/** The day of what has no date at all. */
const UNDATED = 'undated'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The day of a slot where the user is, `YYYY-MM-DD`. */
export function localDays(timeZone?: string): (slot: unknown) => string {
  const localAt = localTimes(timeZone)
  const names = new Map<number, string>()
  return (slot) => {
    if (slot === null) return UNDATED
    const day = Math.floor(localAt(Number(slot) * SLOT_MS) / DAY_MS)
    let name = names.get(day)
    if (name === undefined) {
      const date = new Date(day * DAY_MS)
      name = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
      names.set(day, name)
    }
    return name
  }
}

/** The day that a row is told of: its own, or that with which its period began where nobody asks for days. */
export function daysToTell(
  groupBy: UsageGroup,
  { timeZone, periods }: Pick<UsageFilter, 'timeZone' | 'periods'>,
): (slot: unknown) => string {
  const dayOf = localDays(timeZone)
  if (!periods || groupBy === 'day') return dayOf
  if (periods.length === 0) return (slot) => (slot === null ? UNDATED : '')
  const begun = new Map<string, string>([[UNDATED, UNDATED]])
  return (slot) => {
    const day = dayOf(slot)
    let period = begun.get(day)
    if (period === undefined) {
      period = periods.findLast((each) => each <= day) ?? ''
      begun.set(day, period)
    }
    return period
  }
}

const two = (n: number) => String(n).padStart(2, '0')
const HOURS = Array.from({ length: 7 * 24 }, (_, n) => `${Math.floor(n / 24) + 1}-${two(n % 24)}`)
/** 1970 began on a Thursday. */
const FIRST_HOUR = 3 * 24

/** The hour of the week of a slot: `1-09` is Monday from nine. */
export function localHours(timeZone?: string): (slot: unknown) => string {
  const localAt = localTimes(timeZone)
  return (slot) => {
    if (slot === null) return ''
    const hour = (Math.floor(localAt(Number(slot) * SLOT_MS) / HOUR_MS) + FIRST_HOUR) % HOURS.length
    return HOURS[hour < 0 ? hour + HOURS.length : hour] ?? ''
  }
}

/**
 * What a clock on the wall shows, as milliseconds that are read as UTC. Clocks are put forward or back on a few days of a
 * year: on any other day one look is enough for all of its hours, as looking takes some microseconds.
 */
function localTimes(timeZone: string | undefined): (at: number) => number {
  const offsetAt = offsetsOf(timeZone)
  const known = new Map<number, number>()
  const atStart = (day: number): number => {
    let offset = known.get(day)
    if (offset === undefined) {
      offset = offsetAt(day * DAY_MS)
      known.set(day, offset)
    }
    return offset
  }
  return (at) => {
    const day = Math.floor(at / DAY_MS)
    const offset = atStart(day)
    return at + (offset === atStart(day + 1) ? offset : offsetAt(at))
  }
}

/** By how much a clock there is ahead of UTC. */
function offsetsOf(timeZone: string | undefined): (at: number) => number {
  if (timeZone === undefined || timeZone === new Intl.DateTimeFormat().resolvedOptions().timeZone)
    return (at) => -new Date(at).getTimezoneOffset() * 60_000
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  return (at) => {
    if (Number.isNaN(new Date(at).getTime())) return Number.NaN
    const { year, month, day, hour, minute, second } = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    ) as Record<string, number>
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }
}
