import { dayOf } from '../../../../src/model/day.ts'
import type { Metrics, MetricsAnswer } from '../../lib/types.ts'

export type Group = { key: string; title?: string; names?: string[] } & Partial<Metrics>
export type GroupBy = NonNullable<MetricsAnswer['group_by']>

export const RANGES = ['7d', '30d', '90d', 'all'] as const
type Range = (typeof RANGES)[number]

/** What is counted: of everything, or of a time, an assistant, a workspace. */
export interface Chosen {
  range: Range | { from?: string; to?: string }
  source?: string
  workspace?: string
  repository?: string
  author?: string
  machine?: string
}

/** Whole days, from the first moment of the first to the last of the last. */
export function windowOf(range: Chosen['range'], today = new Date()) {
  const { from, to } = daysOf(range, today)
  if (!from && !to) return 'all' as const
  return { start: from && noonOf(from).setHours(0, 0, 0, 0), end: to && noonOf(to).setHours(23, 59, 59, 999) }
}

/** The first and the last day of a time; nothing where it has no such end. */
export function daysOf(range: Chosen['range'], today = new Date()): { from?: string; to?: string } {
  if (typeof range === 'object') return { from: range.from || undefined, to: range.to || undefined }
  return range === 'all' ? {} : { from: dayOf(firstDay([], range, today)) }
}

/** What a chart shows of a group. */
export const MEASURES = ['messages', 'tokens', 'cost', 'latency'] as const
export type Measure = (typeof MEASURES)[number]

/** Nothing where it is not known, which is not the same as 0. */
export function measured(group: Partial<Metrics>, measure: Measure): number | null {
  const { messages = 0, tokens, cost, latencyMs } = group
  switch (measure) {
    case 'messages':
      return messages
    case 'tokens':
      return tokens ? tokens.input + tokens.output : 0
    case 'cost':
      return cost?.usd ?? null
    case 'latency':
      return latencyMs?.p50 ?? null
  }
}

export interface Day extends Partial<Metrics> {
  /** `YYYY-MM-DD` */
  key: string
  /** Its noon, which is the same day whatever the clocks do. */
  at: number
  /** The last day, where it is a week. */
  last?: string
}

/** Every day from the first to the last, those on which nothing happened too. */
export function everyDay(groups: Group[], chosen: Chosen, today = new Date()): Day[] {
  const known = new Map(groups.map((group) => [group.key, group]))
  const first = firstDay(groups, chosen.range, today)
  const last = (typeof chosen.range === 'object' && chosen.range.to) || dayOf(today)
  const days: Day[] = []
  // By their names: at eleven in the morning today's noon is still to come, and today is there.
  for (const day = first; days.length < MOST_DAYS; day.setDate(day.getDate() + 1)) {
    const key = dayOf(day)
    if (key > last) break
    days.push({ ...known.get(key), key, at: day.getTime() })
  }
  return days
}

const WEEKS_FROM = 100

/** Sums of weeks where single days would be too thin to see; latencies cannot be summed. */
export function steps(days: Day[], measure: Measure): Day[] {
  if (measure === 'latency' || days.length < WEEKS_FROM) return days
  const weeks: Day[] = []
  for (const day of days) {
    const isMonday = new Date(day.at).getDay() === 1
    const week = weeks.at(-1)
    if (!week || isMonday) weeks.push({ ...day })
    else weeks[weeks.length - 1] = { ...sum(week, day), key: week.key, at: week.at, last: day.key }
  }
  return weeks
}

function sum(a: Partial<Metrics>, b: Partial<Metrics>): Partial<Metrics> {
  const known = [a.cost?.usd, b.cost?.usd].filter((usd) => usd !== null && usd !== undefined)
  const input = (a.tokens?.input ?? 0) + (b.tokens?.input ?? 0)
  const output = (a.tokens?.output ?? 0) + (b.tokens?.output ?? 0)
  return {
    messages: (a.messages ?? 0) + (b.messages ?? 0),
    tokens: { input, output, cached: 0, cacheWrite: 0, reasoning: 0, measured: 0 },
    cost: { usd: known.length > 0 ? known.reduce((all, usd) => all + usd, 0) : null, unknown: 0 },
  }
}

/** At least a year of days, the earlier ones empty: a calendar is read by its shape. */
export function wholeYear(days: Day[]): Day[] {
  const [first] = days
  if (!first) return days
  const before = Array.from({ length: Math.max(0, YEAR - days.length) }, (_, n) => {
    const day = new Date(first.at)
    day.setDate(day.getDate() - (n + 1))
    return { key: dayOf(day), at: day.getTime() }
  })
  return [...before.reverse(), ...days]
}

const YEAR = 53 * 7
const MOST_DAYS = 366 * 12

function firstDay(groups: Group[], range: Chosen['range'], today: Date): Date {
  if (typeof range === 'object' && range.from) return noonOf(range.from)
  if (typeof range === 'string' && range !== 'all') {
    const day = new Date(today)
    day.setDate(day.getDate() - Number.parseInt(range, 10) + 1)
    return noonOf(dayOf(day))
  }
  const keys = groups.map(({ key }) => key).sort()
  return noonOf(keys[0] ?? dayOf(today))
}

/** Noon of a day as people write it. */
export function noonOf(key: string): Date {
  const [year = 1970, month = 1, day = 1] = key.split('-').map(Number)
  return new Date(year, month - 1, day, 12)
}

/** Four strengths, so that a quarter of what is busy has each. */
export function levelsOf(counts: number[]): (messages: number) => number {
  const busy = counts.filter((count) => count > 0).sort((a, b) => a - b)
  const bounds = [0.25, 0.5, 0.75].map((share) => busy[Math.floor(busy.length * share)] ?? 0)
  return (messages) => (messages === 0 ? 0 : 1 + bounds.filter((bound) => messages > bound).length)
}
