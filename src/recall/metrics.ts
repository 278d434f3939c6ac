import type { OriginFilter, UsageGroup, UsageRow, UsageSums } from '../archive/archive.ts'
import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { type TimeWindow, timeOf } from '../search/input.ts'
import { besideNote, chosenChats, GIVE_IDS } from './chosen.ts'
import { openChat } from './current.ts'
import type { NotFound } from './gather.ts'
import type { Asker } from './live.ts'
import {
  type FailedTool,
  failedTools,
  nameChats,
  named,
  nameGroups,
  spellings,
  unified,
  zoneAsked,
} from './metrics-named.ts'
import { originAsked } from './origin.ts'
import { sizeOf } from './page.ts'
import { PRICES_AS_OF } from './price-list.ts'
import { costOf, type Prices, plainModel, pricesOn } from './prices.ts'

export interface MetricsInput extends OriginFilter {
  time_window?: TimeWindow
  group_by?: UsageGroup
  chatIds?: string[]
  /** Only chats that a search for it finds. */
  query?: string
  source?: string
  workspace?: string
  /** Only calls of this tool count, however its name is written. */
  tool?: string
  /** Whose days and hours are meant, `Europe/Berlin`. */
  time_zone?: string
  /** At most so many groups. */
  limit?: number
}

interface Metrics {
  messages: number
  requests: number
  answers: number
  tokens: {
    input: number
    output: number
    cached: number
    cacheWrite: number
    reasoning: number
    /** How many messages say what they used. The rest is not in these sums. */
    measured: number
  }
  /** An estimate; null where no price is known. `unknown` messages used tokens whose price is not known. */
  cost: { usd: number | null; unknown: number }
  latencyMs: Percentiles | null
  reasoningMs: Percentiles | null
  tools: { calls: number; failures: number }
}

interface Percentiles {
  p50: number
  p95: number
  count: number
}

export interface MetricsAnswer {
  group_by?: UsageGroup
  timeRange: { from: number | null; to: number | null }
  totals: Metrics
  /** `names` are the spellings of a model that has several, or another than its key. */
  groups?: ({ key: string; title?: string; names?: string[] } & Partial<Metrics>)[]
  /** Of tools, where these are asked for: the newest calls that failed, and what was answered. */
  failed?: FailedTool[]
  prices: { asOf: string; unknownModels: string[] }
  notFound?: NotFound[]
  leftOut?: { groups: number; how: string }
  notes?: string[]
}

/** No group takes fewer characters, so that of tens of thousands only those are named that may have room. */
const SHORTEST_GROUP = 150

/** Groups that are called as chats call them. */
const NAMED = new Set<UsageGroup>(['tool', 'model', 'workspace', 'repository'])

/** What was said, used and paid, at most `room` characters of JSON. */
export async function usageMetrics(
  asker: Asker,
  input: MetricsInput,
  { clean, room }: { clean: Clean; room: number },
): Promise<MetricsAnswer> {
  const { archive, machine } = asker
  const { from, to } = timeOf({ time_window: input.time_window })
  const { keys, notFound, notes } = await keysOf(asker, input)
  const { source, workspace } = input
  const timeZone = zoneAsked(input.time_zone)
  const chosen = { source, workspace, ...originAsked(input), from, to, keys, timeZone }
  const tools = input.tool === undefined ? undefined : await spellings(archive, chosen, input.tool)
  const prices = pricesOn(machine)
  const filter = { ...chosen, tools, periods: prices.changes }
  const groupBy = input.group_by ?? 'source'
  const sums = await archive.usage(filter, groupBy)
  const unknownModels = new Set<string>()
  const answer: MetricsAnswer = {
    ...(input.group_by && { group_by: input.group_by }),
    timeRange: { from: from ?? null, to: to ?? null },
    totals: totalOf(sums, prices, unknownModels),
    prices: { asOf: PRICES_AS_OF, unknownModels: named([...unknownModels].sort(), clean) },
    ...(notFound.length > 0 && { notFound }),
    ...(notes && { notes }),
  }
  if (!input.group_by) return answer
  const groups = groupsOf(sums, groupBy, prices).filter(({ tools }) => !input.tool || tools?.calls)
  if (input.tool && groupBy !== 'day') groups.sort((a, b) => (b.tools?.calls ?? 0) - (a.tools?.calls ?? 0))
  const { limit = groups.length } = input
  // Of days the last ones.
  const limited = groupBy === 'day' ? groups.slice(-limit) : groups.slice(0, limit)
  const shown = limited.slice(0, Math.ceil(room / SHORTEST_GROUP))
  if (groupBy === 'chat') await nameChats(archive, shown, clean)
  if (NAMED.has(groupBy)) nameGroups(shown, clean)
  if (groupBy === 'tool') {
    const failed = await failedTools(archive, filter, clean)
    if (failed.length > 0) answer.failed = failed
  }
  return withGroups(answer, limited, groupBy, room)
}

async function keysOf(
  asker: Asker,
  { chatIds, query, source, workspace, time_window }: MetricsInput,
): Promise<{ keys?: number[]; notFound: NotFound[]; notes?: string[] }> {
  if (!chatIds?.length) {
    if (!query?.trim()) return { notFound: [] }
    const { names, notes } = await chosenChats(asker.archive, { query, source, workspace, time_window })
    const found = await Promise.all(names.map((name) => asker.archive.resolveChat(name)))
    return { keys: found.map(({ key }) => key), notFound: [], notes }
  }
  const keys: number[] = []
  const notFound: NotFound[] = []
  for (const id of chatIds) {
    try {
      const reference = id === 'current' ? (await openChat(asker, id)).chat : undefined
      const name = reference ? `${reference.source}:${reference.id}` : id
      keys.push((await asker.archive.resolveChat(name)).key)
    } catch (error) {
      if (!(error instanceof RecollectError) || error.code.startsWith('ARCHIVE_')) throw error
      notFound.push({ id, error: error.message })
    }
  }
  if (keys.length === 0) {
    throw new RecollectError('SESSION_NOT_FOUND', notFound.map(({ error }) => error).join('; '), GIVE_IDS, {
      notFound,
    })
  }
  const notes = query?.trim() && [besideNote('query')]
  return { keys, notFound, ...(notes && { notes }) }
}

function totalOf(sums: UsageSums, prices: Prices, unknownModels: Set<string>): Metrics {
  const tools = { calls: 0, failures: 0 }
  for (const { calls, failures } of sums.tools) {
    tools.calls += calls
    tools.failures += failures
  }
  return {
    ...counted(sums.rows, prices, unknownModels),
    latencyMs: percentiles([...sums.latencies.values()]),
    reasoningMs: percentiles([...sums.thinking.values()]),
    tools,
  }
}

function groupsOf(
  sums: UsageSums,
  groupBy: UsageGroup,
  prices: Prices,
): NonNullable<MetricsAnswer['groups']> {
  if (groupBy === 'tool') return unified(sums.tools)
  // One model has many spellings.
  const keyOf = (group: string) => (groupBy === 'model' ? plainModel(group) : group)
  const byKey = Map.groupBy(sums.rows, (row) => keyOf(row.group))
  const toolsOf = new Map(sums.tools.map((each) => [each.group, each]))
  const groups = [...byKey].map(([key, rows]) => {
    const names = groupBy === 'model' ? new Set(rows.map((row) => row.group)) : new Set([key])
    const of = (map: Map<string, number[]>) => [...names].map((name) => map.get(name) ?? [])
    const tools = [...names].flatMap((name) => toolsOf.get(name) ?? [])
    return {
      key: key || 'unknown',
      ...(groupBy === 'model' && (names.size > 1 || !names.has(key)) && { names: [...names] }),
      ...counted(rows, prices, new Set()),
      latencyMs: percentiles(of(sums.latencies)),
      reasoningMs: percentiles(of(sums.thinking)),
      tools: {
        calls: tools.reduce((sum, each) => sum + each.calls, 0),
        failures: tools.reduce((sum, each) => sum + each.failures, 0),
      },
    }
  })
  // Messages without a model are the user's own and the tools': they belong to no model's bill.
  const shown = groupBy === 'model' ? groups.filter(({ key }) => key !== 'unknown') : groups
  const weight = ({ cost, tokens }: Metrics) => [cost.usd ?? 0, tokens.input + tokens.output] as const
  return groupBy === 'day' || groupBy === 'hour'
    ? shown.sort((a, b) => (a.key < b.key ? -1 : 1))
    : shown.sort((a, b) => weight(b)[0] - weight(a)[0] || weight(b)[1] - weight(a)[1])
}

function withGroups(
  answer: MetricsAnswer,
  groups: NonNullable<MetricsAnswer['groups']>,
  groupBy: UsageGroup,
  room: number,
): MetricsAnswer {
  let left = room - sizeOf(answer) - 150
  // Of days the last ones matter most, of all else the largest.
  const ranked = groupBy === 'day' ? groups.toReversed() : groups
  const end = ranked.findIndex((group) => {
    left -= sizeOf(group)
    return left < 0
  })
  const kept = end < 0 ? [...ranked] : ranked.slice(0, end)
  const missing = groups.length - kept.length
  return {
    ...answer,
    groups: groupBy === 'day' ? kept.reverse() : kept,
    ...(missing > 0 && {
      leftOut: { groups: missing, how: 'Give a narrower time_window, source or workspace.' },
    }),
  }
}

function counted(
  rows: UsageRow[],
  prices: Prices,
  unknownModels: Set<string>,
): Pick<Metrics, 'messages' | 'requests' | 'answers' | 'tokens' | 'cost'> {
  const tokens = { input: 0, output: 0, cached: 0, cacheWrite: 0, reasoning: 0, measured: 0 }
  const sum = { messages: 0, requests: 0, answers: 0 }
  let usd = 0
  let known = 0
  // Written out: there are ten thousands of rows, and going through names takes several times as long.
  for (const row of rows) {
    sum.messages += row.messages
    sum.requests += row.requests
    sum.answers += row.answers
    tokens.input += row.input
    tokens.output += row.output
    tokens.cached += row.cached
    tokens.cacheWrite += row.cacheWrite
    tokens.reasoning += row.reasoning
    tokens.measured += row.measured
    usd += row.cost
    known += row.costed
    const price = row.model === undefined ? undefined : prices.of(row.model, row.day)
    if (price) {
      usd += costOf(price, row.priced)
      known += row.priced.messages
    } else if (row.priced.messages > 0) unknownModels.add(row.model ?? 'unnamed')
  }
  const cost = { usd: known > 0 ? Math.round(usd * 1e6) / 1e6 : null, unknown: tokens.measured - known }
  return { ...sum, tokens, cost }
}

/** The nearest rank: a value that was really measured. */
export function percentiles(lists: number[][]): Percentiles | null {
  const list = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  if (list.length === 0) return null
  let end = 0
  for (const values of lists) {
    list.set(values, end)
    end += values.length
  }
  const place = (share: number) => Math.max(0, Math.ceil(share * list.length) - 1)
  const p50 = selected(list, place(0.5))
  // What is smaller stands before it by now.
  return { p50, p95: selected(list, place(0.95), place(0.5)), count: list.length }
}

/**
 * The value that would be at this place in order, where none before `first` is larger than those behind it. Hoare's selection: of
 * hundreds of thousands, sorting takes ten times as long.
 */
function selected(list: Float64Array, place: number, first = 0): number {
  let from = first
  let to = list.length - 1
  while (from < to) {
    const pivot = list[(from + to) >> 1]!
    let [i, j] = [from, to]
    while (i <= j) {
      while (list[i]! < pivot) i++
      while (list[j]! > pivot) j--
      if (i > j) break
      const value = list[i]!
      list[i++] = list[j]!
      list[j--] = value
    }
    if (place <= j) to = j
    else if (place >= i) from = i
    else break
  }
  return list[place]!
}
