import type { SQLInputValue } from 'node:sqlite'
import type { ToolSum, UsageFilter, UsageGroup, UsageRow, UsageSums } from '../archive.ts'
import type { Connection } from './connection.ts'
import { conditions } from './read.ts'

/** A message without a time of its own counts on the day its chat began. */
const AT = 'coalesce(message.created_at, chat.created_at, chat.updated_at, 0)'
const DAY = `date(${AT} / 1000, 'unixepoch', 'localtime')`

/** Few messages say so: looking for the name costs less than reading each one's JSON. */
const THOUGHT = `CASE WHEN instr(message.detail, '"thinkingMs"') > 0 THEN json_extract(message.detail, '$.thinkingMs') END`

const GROUPS: Record<UsageGroup, string> = {
  day: DAY,
  model: `coalesce(message.model, '')`,
  source: 'chat.source',
  workspace: `coalesce(chat.workspace, '')`,
  // Tokens belong to a message, which may call several tools: they are not divided among them.
  tool: `''`,
}

/**
 * What was used, summed up. A fork repeats the messages of its original: those were paid for once.
 * Cost: one pass over the messages of the time asked for.
 */
export function usage(connection: Connection, filter: UsageFilter, groupBy: UsageGroup): UsageSums {
  const chosen = messagesOf(filter)
  const group = GROUPS[groupBy]
  return {
    rows: sums(connection, chosen, group),
    latencies: times(connection, chosen, group, 'message.latency_ms'),
    thinking: times(connection, chosen, group, THOUGHT),
    tools: tools(connection, chosen, groupBy),
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

const FROM = 'FROM message JOIN chat ON chat.key = message.chat'

function sums({ prepare }: Connection, { where, values }: Chosen, group: string): UsageRow[] {
  const sum = (column: string, condition = '1') =>
    `coalesce(sum(message.${column}) FILTER (WHERE ${condition}), 0)`
  const unpriced = 'message.cost IS NULL'
  const measured = '(message.input_tokens IS NOT NULL OR message.output_tokens IS NOT NULL)'
  return prepare(
    `SELECT ${group} AS name, ${DAY} AS day, message.model AS model,
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
       count(*) FILTER (WHERE ${measured} AND ${unpriced}) AS priced_messages
     ${FROM} WHERE ${where} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
    .all(...values)
    .map((row) => ({
      group: String(row.name),
      day: String(row.day),
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
    }))
}

/** Every measured time, by group. Percentiles cannot be made from sums. */
function times(
  { prepare }: Connection,
  { where, values }: Chosen,
  group: string,
  time: string,
): Map<string, number[]> {
  const byGroup = new Map<string, number[]>()
  const rows = prepare(
    `SELECT ${group} AS name, ${time} AS ms ${FROM} WHERE ${where} AND ${time} IS NOT NULL ORDER BY ms`,
  )
  for (const row of rows.iterate(...values)) {
    const list = byGroup.get(String(row.name))
    if (list) list.push(Number(row.ms))
    else byGroup.set(String(row.name), [Number(row.ms)])
  }
  return byGroup
}

/** A result says which call it answers; its message may be another one than the call's. */
function tools({ prepare }: Connection, { where, values }: Chosen, groupBy: UsageGroup): ToolSum[] {
  const tool = `coalesce(json_extract(call.value, '$.server') || '/', '') || json_extract(call.value, '$.tool')`
  return prepare(
    `WITH chosen AS MATERIALIZED (
       SELECT message.chat, message.detail, ${groupBy === 'tool' ? `''` : GROUPS[groupBy]} AS name
       ${FROM} WHERE ${where} AND message.detail IS NOT NULL
     ), failed AS MATERIALIZED (
       SELECT DISTINCT chosen.chat, json_extract(result.value, '$.callId') AS id
       FROM chosen, json_each(chosen.detail, '$.toolResults') AS result
       WHERE json_extract(result.value, '$.error') IS NOT NULL
          OR coalesce(json_extract(result.value, '$.exitCode'), 0) <> 0
     )
     SELECT ${groupBy === 'tool' ? tool : 'chosen.name'} AS name, count(*) AS calls, count(failed.id) AS failures
     FROM chosen JOIN json_each(chosen.detail, '$.toolCalls') AS call
     LEFT JOIN failed ON failed.chat = chosen.chat AND failed.id = json_extract(call.value, '$.id')
     GROUP BY 1 ORDER BY 2 DESC, 1`,
  )
    .all(...values)
    .map((row) => ({ group: String(row.name), calls: Number(row.calls), failures: Number(row.failures) }))
}
