import type { SQLInputValue } from 'node:sqlite'
import type { ToolSum, UsageFilter, UsageGroup, UsageRow, UsageSums } from '../archive.ts'
import type { Connection } from './connection.ts'
import { conditions } from './read.ts'

/** A message without a time of its own counts on the day its chat began. */
const AT = 'coalesce(message.created_at, chat.created_at, chat.updated_at)'
/** The day of what has no date at all. */
const UNDATED = 'undated'
/** No time zone is off by less. SQLite's own local dates would take most of the time. */
const SLOT_MS = 900_000
const SLOT = `${AT} / ${SLOT_MS}`

const GROUPS: Record<UsageGroup, string> = {
  // Made a day of its slot below.
  day: `''`,
  model: `coalesce(message.model, '')`,
  source: 'chat.source',
  // Made the newest spelling of its folder below.
  workspace: `coalesce(chat.workspace_key, '')`,
  // Tokens belong to a message, which may call several tools: they are not divided among them.
  tool: `''`,
}

/**
 * What was used, summed up. A fork repeats the messages of its original: those were paid for once.
 * Cost: one pass over the messages of the time asked for.
 */
export function usage(connection: Connection, filter: UsageFilter, groupBy: UsageGroup): UsageSums {
  const chosen = messagesOf(filter)
  const name = groupBy === 'day' ? SLOT : GROUPS[groupBy]
  const groupOf = groupBy === 'day' ? localDays() : groupBy === 'workspace' ? spellings(connection) : String
  return {
    rows: sums(connection, chosen, GROUPS[groupBy], groupBy === 'day' ? undefined : groupOf),
    latencies: times(connection, chosen, name, 'message.latency_ms', groupOf),
    thinking: times(connection, chosen, name, 'message.thinking_ms', groupOf),
    tools: tools(connection, chosen, groupBy === 'tool' ? TOOL : name, groupOf),
  }
}

interface Chosen {
  where: string
  values: SQLInputValue[]
}

function messagesOf({ source, workspace, from, to, keys }: UsageFilter): Chosen {
  const { where, values } = conditions({ source, workspace, subagents: true })
  const terms = [where, 'message.copy_of IS NULL']
  if (from !== undefined) {
    terms.push(`${AT} >= ?`)
    values.push(from)
  }
  if (to !== undefined) {
    terms.push(`${AT} <= ?`)
    values.push(to)
  }
  if (keys) {
    terms.push('chat.key IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(keys))
  }
  return { where: terms.join(' AND '), values }
}

const FROM = 'FROM chat_message AS message JOIN chat ON chat.key = message.chat'

/** The newest way in which each folder was written, by its key. */
function spellings({ prepare }: Connection): (key: unknown) => string {
  const rows = prepare(
    'SELECT workspace_key, workspace, max(updated_at) FROM chat GROUP BY workspace_key',
  ).all()
  const byKey = new Map(rows.map((row) => [row.workspace_key, String(row.workspace ?? '')]))
  return (key) => byKey.get(key as string) ?? ''
}

/** Without a name for its group, a row is of its day's. */
function sums(
  { prepare }: Connection,
  { where, values }: Chosen,
  group: string,
  groupOf: ((name: unknown) => string) | undefined,
): UsageRow[] {
  const sum = (column: string, condition = '1') =>
    `coalesce(sum(message.${column}) FILTER (WHERE ${condition}), 0)`
  // Half of what was used would make half a price.
  const unpriced =
    'message.cost IS NULL AND message.input_tokens IS NOT NULL AND message.output_tokens IS NOT NULL'
  const measured = '(message.input_tokens IS NOT NULL OR message.output_tokens IS NOT NULL)'
  const rows = prepare(
    `SELECT ${group} AS name, ${SLOT} AS slot, message.model AS model,
       count(*) FILTER (WHERE kind <> 'injected') AS messages,
       count(*) FILTER (WHERE kind = 'request' AND NOT undone) AS requests,
       count(*) FILTER (WHERE kind = 'answer') AS answers,
       count(*) FILTER (WHERE ${measured} OR message.cost IS NOT NULL) AS measured,
       ${sum('input_tokens')} AS input, ${sum('output_tokens')} AS output, ${sum('cached_tokens')} AS cached,
       ${sum('cache_write_tokens')} AS cache_write, ${sum('reasoning_tokens')} AS reasoning,
       coalesce(sum(message.cost), 0) AS cost, count(message.cost) AS costed,
       ${sum('input_tokens', unpriced)} AS priced_input, ${sum('output_tokens', unpriced)} AS priced_output,
       ${sum('cached_tokens', unpriced)} AS priced_cached,
       ${sum('cache_write_tokens', unpriced)} AS priced_cache_write,
       count(*) FILTER (WHERE ${unpriced}) AS priced_messages
     ${FROM} WHERE ${where} GROUP BY 1, 2, 3`,
  )
  const dayOf = localDays()
  const byName = new Map<string, UsageRow>()
  for (const row of rows.iterate(...values)) {
    const day = dayOf(row.slot)
    const told = usageRow(row, groupOf ? groupOf(row.name) : day, day)
    const key = JSON.stringify([told.group, day, told.model])
    const known = byName.get(key)
    byName.set(key, known ? added(known, told) : told)
  }
  return [...byName.values()].sort((a, b) => order(a.group, b.group) || order(a.day, b.day))
}

function usageRow(row: Record<string, unknown>, group: string, day: string): UsageRow {
  return {
    group,
    day,
    ...(row.model !== null && { model: String(row.model) }),
    messages: Number(row.messages),
    requests: Number(row.requests),
    answers: Number(row.answers),
    measured: Number(row.measured),
    input: Number(row.input),
    output: Number(row.output),
    cached: Number(row.cached),
    cacheWrite: Number(row.cache_write),
    reasoning: Number(row.reasoning),
    cost: Number(row.cost),
    costed: Number(row.costed),
    priced: {
      input: Number(row.priced_input),
      output: Number(row.priced_output),
      cached: Number(row.priced_cached),
      cacheWrite: Number(row.priced_cache_write),
      messages: Number(row.priced_messages),
    },
  }
}

function added(to: UsageRow, { group: _, day: __, model: ___, priced, ...more }: UsageRow): UsageRow {
  for (const name of Object.keys(more) as (keyof typeof more)[]) to[name] += more[name]
  for (const name of Object.keys(priced) as (keyof typeof priced)[]) to.priced[name] += priced[name]
  return to
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The day of a slot where the user is, `YYYY-MM-DD`. */
function localDays(): (slot: unknown) => string {
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

/** Every measured time, by group. Percentiles cannot be made from sums. */
function times(
  { prepare }: Connection,
  { where, values }: Chosen,
  name: string,
  time: string,
  groupOf: (name: unknown) => string,
): Map<string, number[]> {
  const byGroup = new Map<string, number[]>()
  const rows = prepare(`SELECT ${name} AS name, ${time} AS ms ${FROM} WHERE ${where} AND ${time} IS NOT NULL`)
  for (const row of rows.iterate(...values)) {
    const group = groupOf(row.name)
    const list = byGroup.get(group)
    if (list) list.push(Number(row.ms))
    else byGroup.set(group, [Number(row.ms)])
  }
  return byGroup
}

const TOOL = 'tool.name'

/** A result says which call it answers; its message may be another one than the call's. */
function tools(
  { prepare }: Connection,
  { where, values }: Chosen,
  name: string,
  groupOf: (name: unknown) => string,
): ToolSum[] {
  const rows = prepare(
    `WITH failed AS MATERIALIZED (
       SELECT DISTINCT message.chat, tool_failure.call
       ${FROM} JOIN tool_failure ON tool_failure.message = message.key WHERE ${where}
     )
     SELECT ${name} AS name, count(*) AS calls, count(failed.call) AS failures
     ${FROM} JOIN tool_call ON tool_call.message = message.key JOIN tool ON tool.key = tool_call.tool
     LEFT JOIN failed ON failed.chat = message.chat AND failed.call = tool_call.call
     WHERE ${where} GROUP BY 1`,
  )
  const byGroup = new Map<string, ToolSum>()
  for (const row of rows.iterate(...values, ...values)) {
    const group = groupOf(row.name)
    const known = byGroup.get(group) ?? { group, calls: 0, failures: 0 }
    byGroup.set(group, known)
    known.calls += Number(row.calls)
    known.failures += Number(row.failures)
  }
  return [...byGroup.values()].sort((a, b) => b.calls - a.calls || order(a.group, b.group))
}
