import type { ToolSum, UsageFilter, UsageGroup, UsageRow, UsageSums } from '../archive.ts'
import { COUNTED } from './kept-usage.ts'
import { daysToTell } from './local-time.ts'
import type { SumsVisitor } from './usage-bytes.ts'

/** Groups that a chat as a whole is of. */
const OF_CHATS: ReadonlySet<UsageGroup> = new Set<UsageGroup>(['repository', 'chat', 'subagent'])

/** Where the numbers of each model begin. */
type Models = Map<string | null, number>

/** The counted numbers, and the cost. */
const WIDTH = COUNTED.length + 1

/** Gathers what is kept into the same shape as counting does. One after the other are mostly of one group and one day. */
export class KeptSums implements SumsVisitor {
  readonly #groupBy: UsageGroup
  readonly #groupOf: (name: unknown) => string
  readonly #dayOf: (slot: unknown) => string
  readonly #tool: ReadonlySet<string> | undefined
  /** By group, day and model: where its numbers are. An array for each would take most of the time. */
  readonly #rows = new Map<string, Map<string, Models>>()
  numbers: Float64Array = new Float64Array(WIDTH * 64)
  #end = 0
  readonly #latencies = new Map<string, number[]>()
  readonly #thinking = new Map<string, number[]>()
  readonly #tools = new Map<string, ToolSum>()
  /** The group and the day of the entry that is read, and where these go. */
  #group = ''
  #slot: number | null | undefined
  #day = ''
  #models: Models | undefined
  #latencyList: number[] | undefined
  #thinkingList: number[] | undefined

  constructor(
    groupBy: UsageGroup,
    groupOf: (name: unknown) => string,
    filter: Pick<UsageFilter, 'timeZone' | 'tools' | 'periods'> = {},
  ) {
    const { tools } = filter
    this.#groupBy = groupBy
    this.#groupOf = groupOf
    this.#dayOf = daysToTell(groupBy, filter)
    this.#tool = tools && new Set(tools)
  }

  chat({ chat, source, workspace }: { chat: number; source: string; workspace: string | null }): boolean {
    if (this.#groupBy === 'source') this.#enter(source)
    else if (this.#groupBy === 'workspace') this.#enter(this.#groupOf(workspace ?? ''))
    else if (OF_CHATS.has(this.#groupBy)) this.#enter(this.#groupOf(chat))
    return true
  }

  entry(slot: number | null, model: string | null): number {
    if (this.#groupBy === 'model') this.#enter(model ?? '')
    if (slot !== this.#slot) {
      this.#slot = slot
      const day = this.#dayOf(slot)
      if (day !== this.#day) this.#models = undefined
      this.#day = day
      if (this.#groupBy === 'day') this.#enter(day)
      else if (this.#groupBy === 'hour') this.#enter(this.#groupOf(slot))
    }
    this.#models ??= this.#modelsOn(this.#day)
    let at = this.#models.get(model)
    if (at === undefined) {
      at = this.#newRow()
      this.#models.set(model, at)
    }
    return at
  }

  latency(ms: number): void {
    this.#latencyList ??= listOf(this.#latencies, this.#group)
    this.#latencyList.push(ms)
  }

  thinking(ms: number): void {
    this.#thinkingList ??= listOf(this.#thinking, this.#group)
    this.#thinkingList.push(ms)
  }

  tool(name: string, calls: number, failures: number): void {
    if (this.#tool && !this.#tool.has(name)) return
    const group = this.#groupBy === 'tool' ? name : this.#group
    let known = this.#tools.get(group)
    if (!known) {
      known = { group, calls: 0, failures: 0 }
      this.#tools.set(group, known)
    }
    known.calls += calls
    known.failures += failures
  }

  sums(): UsageSums {
    const rows: UsageRow[] = []
    // In order already, as far as that is cheap: sorting all of them takes longer than the sums.
    for (const [group, days] of sorted(this.#rows))
      for (const [day, models] of sorted(days))
        for (const [model, at] of models)
          rows.push(usageRow(group, day, model, this.numbers.subarray(at, at + WIDTH)))
    return {
      rows,
      latencies: this.#latencies,
      thinking: this.#thinking,
      tools: [...this.#tools.values()],
    }
  }

  #enter(group: string): void {
    if (group === this.#group) return
    this.#group = group
    this.#models = this.#latencyList = this.#thinkingList = undefined
  }

  #newRow(): number {
    if (this.#end === this.numbers.length) {
      const larger = new Float64Array(this.#end * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.#end += WIDTH
    return this.#end - WIDTH
  }

  #modelsOn(day: string): Models {
    let days = this.#rows.get(this.#group)
    if (!days) {
      days = new Map()
      this.#rows.set(this.#group, days)
    }
    let models = days.get(day)
    if (!models) {
      models = new Map()
      days.set(day, models)
    }
    return models
  }
}

function sorted<T>(map: Map<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

export function listOf(lists: Map<string, number[]>, group: string): number[] {
  let list = lists.get(group)
  if (!list) {
    list = []
    lists.set(group, list)
  }
  return list
}

/** What was counted, in the order of COUNTED, and the cost behind it. */
export function usageRow(
  group: string,
  day: string,
  model: string | null,
  numbers: ArrayLike<number>,
): UsageRow {
  return {
    group,
    day,
    // Present in any case: thousands of objects of one shape are made several times as fast.
    model: model ?? undefined,
    messages: numbers[0]!,
    requests: numbers[1]!,
    answers: numbers[2]!,
    measured: numbers[3]!,
    input: numbers[4]!,
    output: numbers[5]!,
    cached: numbers[6]!,
    cacheWrite: numbers[7]!,
    reasoning: numbers[8]!,
    cost: numbers[COUNTED.length]!,
    costed: numbers[9]!,
    priced: {
      input: numbers[10]!,
      output: numbers[11]!,
      cached: numbers[12]!,
      cacheWrite: numbers[13]!,
      messages: numbers[14]!,
    },
  }
}
