import type { ToolSum, UsageGroup, UsageRow, UsageSums } from '../archive.ts'
import { COUNTED, SLOT_MS } from './kept-usage.ts'
import type { SumsVisitor } from './usage-bytes.ts'

/** The day of what has no date at all. */
const UNDATED = 'undated'

/** Gathers what is kept into the same shape as counting does. */
export class KeptSums implements SumsVisitor {
  readonly #groupBy: UsageGroup
  readonly #groupOf: (name: unknown) => string
  readonly #dayOf = localDays()
  /** By group, day and model: the counted numbers, and the cost. */
  readonly #rows = new Map<string, Map<string, Map<string | null, Float64Array>>>()
  readonly #latencies = new Map<string, number[]>()
  readonly #thinking = new Map<string, number[]>()
  readonly #tools = new Map<string, ToolSum>()
  /** The group of the entry that is read. */
  #group = ''

  constructor(groupBy: UsageGroup, groupOf: (name: unknown) => string) {
    this.#groupBy = groupBy
    this.#groupOf = groupOf
  }

  chat({ source, workspace }: { source: string; workspace: string | null }): boolean {
    if (this.#groupBy === 'source') this.#group = source
    if (this.#groupBy === 'workspace') this.#group = this.#groupOf(workspace ?? '')
    return true
  }

  entry(slot: number | null, model: string | null, numbers: Float64Array, cost: number): void {
    const day = this.#dayOf(slot)
    if (this.#groupBy === 'day') this.#group = day
    else if (this.#groupBy === 'model') this.#group = model ?? ''
    const into = this.#row(day, model)
    for (let i = 0; i < numbers.length; i++) into[i]! += numbers[i]!
    into[numbers.length]! += cost
  }

  latency(ms: number): void {
    listOf(this.#latencies, this.#group).push(ms)
  }

  thinking(ms: number): void {
    listOf(this.#thinking, this.#group).push(ms)
  }

  tool(name: string, calls: number, failures: number): void {
    const group = this.#groupBy === 'tool' ? name : this.#group
    const known = this.#tools.get(group) ?? { group, calls: 0, failures: 0 }
    this.#tools.set(group, known)
    known.calls += calls
    known.failures += failures
  }

  sums(): UsageSums {
    const rows: UsageRow[] = []
    for (const [group, days] of this.#rows)
      for (const [day, models] of days)
        for (const [model, numbers] of models) rows.push(usageRow(group, day, model, numbers))
    return {
      rows,
      latencies: this.#latencies,
      thinking: this.#thinking,
      tools: [...this.#tools.values()],
    }
  }

  #row(day: string, model: string | null): Float64Array {
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
    let numbers = models.get(model)
    if (!numbers) {
      numbers = new Float64Array(COUNTED.length + 1)
      models.set(model, numbers)
    }
    return numbers
  }
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
    ...(model !== null && { model }),
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

/** The day of a slot where the user is, `YYYY-MM-DD`. */
export function localDays(): (slot: unknown) => string {
  const known = new Map<unknown, string>()
  const two = (n: number) => String(n).padStart(2, '0')
  return (slot) => {
    let day = known.get(slot)
    if (day === undefined) {
      const date = new Date(Number(slot) * SLOT_MS)
      day =
        slot === null ? UNDATED : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
      known.set(slot, day)
    }
    return day
  }
}
