import type { SQLInputValue } from 'node:sqlite'
import type { ToolSum, UsageFilter, UsageGroup, UsageRow, UsageSums } from '../archive.ts'
import type { Connection } from './connection.ts'
import { KeptSums, listOf, usageRow } from './kept-sums.ts'
import { AT, COST, COUNTED, FROM, readKept, SLOT } from './kept-usage.ts'
import { daysToTell, localDays, localHours } from './local-time.ts'
import { conditions } from './read.ts'

const GROUPS: Record<UsageGroup, string> = {
  // Made a day of its slot below.
  day: `''`,
  model: `coalesce(message.model, '')`,
  source: 'chat.source',
  // Made the newest spelling of its folder below.
  workspace: `coalesce(chat.workspace_key, '')`,
  // Tokens belong to a message, which may call several tools: they are not divided among them.
  tool: `''`,
  hour: SLOT,
  // Named by the chat below.
  repository: 'chat.key',
  chat: 'chat.key',
  subagent: 'chat.key',
}

/**
 * What was used, summed up. A fork repeats the messages of its original: those were paid for once.
 * Cost: the kept sums of all chats, some bytes each, and one pass over the messages of those that have none.
 */
export function usage(connection: Connection, filter: UsageFilter, groupBy: UsageGroup): UsageSums {
  return connection.reading(() => {
    const named = namer(connection, groupBy, filter.timeZone)
    const kept = new KeptSums(groupBy, named, filter)
    const left = readKept(connection, filter, kept)
    if (left === 'all') return counted(connection, filter, groupBy, named)
    return merged(
      kept.sums(),
      left.length === 0 ? undefined : counted(connection, { ...filter, keys: left }, groupBy, named),
    )
  })
}

/** The same, by counting every message. */
export function recounted(connection: Connection, filter: UsageFilter, groupBy: UsageGroup): UsageSums {
  return connection.reading(() =>
    counted(connection, filter, groupBy, namer(connection, groupBy, filter.timeZone)),
  )
}

function counted(
  connection: Connection,
  filter: UsageFilter,
  groupBy: UsageGroup,
  groupOf: (name: unknown) => string,
): UsageSums {
  const chosen = messagesOf(filter)
  const name = groupBy === 'day' ? SLOT : GROUPS[groupBy]
  return {
    rows: sums(
      connection,
      chosen,
      GROUPS[groupBy],
      groupBy === 'day' ? undefined : groupOf,
      daysToTell(groupBy, filter),
    ),
    latencies: times(connection, chosen, name, 'message.latency_ms', groupOf),
    thinking: times(connection, chosen, name, 'message.thinking_ms', groupOf),
    tools: tools(connection, filter, groupBy === 'tool' ? TOOL : name, groupOf),
  }
}

/** Makes the name of a group of what stands for it: a slot, a model, a folder's key. */
function namer(
  connection: Connection,
  groupBy: UsageGroup,
  timeZone: string | undefined,
): (name: unknown) => string {
  switch (groupBy) {
    case 'day':
      return localDays(timeZone)
    case 'hour':
      return localHours(timeZone)
    case 'workspace':
      return spellings(connection)
    case 'repository':
      return byChat(connection, `coalesce(repository, '')`)
    case 'chat':
      return byChat(connection, `source || ':' || id`)
    case 'subagent':
      return byChat(connection, `CASE WHEN subagent THEN 'subagent' ELSE 'main' END`)
    default:
      return String
  }
}

function byChat({ prepare }: Connection, name: string): (key: unknown) => string {
  const rows = prepare(`SELECT key, ${name} AS name FROM chat`).iterate()
  const names = new Map(Array.from(rows, (row) => [Number(row.key), String(row.name)]))
  return (key) => names.get(Number(key)) ?? ''
}

function merged(kept: UsageSums, counted: UsageSums | undefined): UsageSums {
  if (counted) {
    const nameOf = ({ group, day, model }: UsageRow) => JSON.stringify([group, day, model])
    // Of very many rows only those are named that may be one of the few.
    const [groups, days] = (['group', 'day'] as const).map(
      (of) => new Set(counted.rows.map((row) => row[of])),
    )
    const byName = new Map(
      kept.rows
        .filter((row) => groups!.has(row.group) && days!.has(row.day))
        .map((row) => [nameOf(row), row]),
    )
    for (const row of counted.rows) {
      const known = byName.get(nameOf(row))
      if (known) added(known, row)
      else kept.rows.push(row)
    }
    for (const name of ['latencies', 'thinking'] as const)
      for (const [group, list] of counted[name]) {
        const into = listOf(kept[name], group)
        for (const ms of list) into.push(ms)
      }
    const byGroup = new Map(kept.tools.map((tool) => [tool.group, tool]))
    for (const tool of counted.tools) {
      const known = byGroup.get(tool.group)
      if (!known) kept.tools.push(tool)
      else {
        known.calls += tool.calls
        known.failures += tool.failures
      }
    }
  }
  return { ...kept, rows: inOrder(kept.rows), tools: kept.tools.sort(byCalls) }
}

interface Chosen {
  where: string
  values: SQLInputValue[]
}

export function messagesOf({
  from,
  to,
  keys,
  timeZone: _,
  tools: __,
  periods: ___,
  ...chats
}: UsageFilter): Chosen {
  const { where, values } = conditions({ ...chats, subagents: true })
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

/** So many of the newest chats are looked at for the names of folders; of those that are in none of them, each by itself. */
const NEWEST = 1_000

/** The newest way in which each folder was written, by its key. */
function spellings({ prepare }: Connection): (key: unknown) => string {
  const byKey = new Map<unknown, string>()
  const newest = prepare(
    'SELECT workspace_key, workspace FROM chat ORDER BY coalesce(updated_at, 0) DESC, key DESC LIMIT ?',
  )
  for (const { workspace_key: key, workspace } of newest.iterate(NEWEST))
    if (!byKey.has(key)) byKey.set(key, String(workspace ?? ''))
  const older = prepare(
    'SELECT workspace FROM chat WHERE workspace_key = ? ORDER BY coalesce(updated_at, 0) DESC, key DESC LIMIT 1',
  )
  return (key) => {
    let spelling = byKey.get(key)
    if (spelling === undefined) {
      spelling = String(older.get(key as SQLInputValue)?.workspace ?? '')
      byKey.set(key, spelling)
    }
    return spelling
  }
}

/** Without a name for its group, a row is of its day's. */
function sums(
  { prepare }: Connection,
  { where, values }: Chosen,
  group: string,
  groupOf: ((name: unknown) => string) | undefined,
  dayOf: (slot: unknown) => string,
): UsageRow[] {
  const rows = prepare(
    `SELECT ${group} AS name, ${SLOT} AS slot, message.model AS model,
       ${COUNTED.map(([name, sql]) => `${sql} AS ${name}`).join(', ')}, ${COST} AS cost
     ${FROM} WHERE ${where} GROUP BY 1, 2, 3`,
  )
  const byName = new Map<string, UsageRow>()
  for (const row of rows.iterate(...values)) {
    const day = dayOf(row.slot)
    const numbers = [...COUNTED.map(([column]) => Number(row[column])), Number(row.cost)]
    const told = usageRow(groupOf ? groupOf(row.name) : day, day, row.model as string | null, numbers)
    const key = JSON.stringify([told.group, day, told.model])
    const known = byName.get(key)
    byName.set(key, known ? added(known, told) : told)
  }
  return inOrder([...byName.values()])
}

function inOrder(rows: UsageRow[]): UsageRow[] {
  return rows.sort(
    (a, b) => order(a.group, b.group) || order(a.day, b.day) || order(a.model ?? '', b.model ?? ''),
  )
}

function added(to: UsageRow, { group: _, day: __, model: ___, priced, ...more }: UsageRow): UsageRow {
  for (const name of Object.keys(more) as (keyof typeof more)[]) to[name] += more[name]
  for (const name of Object.keys(priced) as (keyof typeof priced)[]) to.priced[name] += priced[name]
  return to
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
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

/** A result says which call it answers; its message may be another one than the call's, and later than what is asked for. */
function tools(
  { prepare }: Connection,
  filter: UsageFilter,
  name: string,
  groupOf: (name: unknown) => string,
): ToolSum[] {
  const { where, values } = messagesOf(filter)
  const failed = messagesOf({ ...filter, to: undefined })
  const only = filter.tools
  const rows = prepare(
    `WITH failed AS MATERIALIZED (
       SELECT DISTINCT message.chat, tool_failure.call
       ${FROM} JOIN tool_failure ON tool_failure.message = message.key WHERE ${failed.where}
     )
     SELECT ${name} AS name, count(*) AS calls, count(failed.call) AS failures
     ${FROM} JOIN tool_call ON tool_call.message = message.key JOIN tool ON tool.key = tool_call.tool
     LEFT JOIN failed ON failed.chat = message.chat AND failed.call = tool_call.call
     WHERE ${where} ${only ? 'AND tool.name IN (SELECT value FROM json_each(?))' : ''} GROUP BY 1`,
  )
  const byGroup = new Map<string, ToolSum>()
  const named = only ? [JSON.stringify(only)] : []
  for (const row of rows.iterate(...failed.values, ...values, ...named)) {
    const group = groupOf(row.name)
    const known = byGroup.get(group) ?? { group, calls: 0, failures: 0 }
    byGroup.set(group, known)
    known.calls += Number(row.calls)
    known.failures += Number(row.failures)
  }
  return [...byGroup.values()].sort(byCalls)
}

function byCalls(a: ToolSum, b: ToolSum): number {
  return b.calls - a.calls || order(a.group, b.group)
}
