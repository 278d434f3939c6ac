import { crc32 } from 'node:zlib'
import type { UsageFilter } from '../archive.ts'
import type { Connection } from './connection.ts'
import { conditions } from './read.ts'
import { type ChatSums, type Entry, knownNames, packSums, readSums, type SumsVisitor } from './usage-bytes.ts'

/**
 * What was used, summed up once for each chat and kept: by quarter of an hour, model and tool. Triggers note
 * which ranges of 16 chats were written since (`unsummed`); the end of a sync sums those up again when they are many,
 * and who asks counts the few that wait. So an appended message costs no more for it.
 */
const RANGE_BITS = 4
const STEP = 64
/** So many ranges may wait: whoever asks counts them each time, some two milliseconds each. A chat that is written to waits in one. */
const FEW = 2

/** A message without a time of its own counts on the day its chat began. */
export const AT = 'coalesce(message.created_at, chat.created_at, chat.updated_at)'
export const SLOT_MS = 900_000
export const SLOT = `${AT} / ${SLOT_MS}`
export const FROM = 'FROM chat_message AS message JOIN chat ON chat.key = message.chat'

const sum = (column: string, condition = '1') =>
  `coalesce(sum(message.${column}) FILTER (WHERE ${condition}), 0)`
// Half of what was used would make half a price.
const unpriced =
  'message.cost IS NULL AND message.input_tokens IS NOT NULL AND message.output_tokens IS NOT NULL'
const measured = '(message.input_tokens IS NOT NULL OR message.output_tokens IS NOT NULL)'

/** What is summed up, as SQL over the messages of a group, by name. */
export const COUNTED: [name: string, sql: string][] = [
  ['messages', `count(*) FILTER (WHERE kind <> 'injected')`],
  ['requests', `count(*) FILTER (WHERE kind = 'request' AND NOT undone)`],
  ['answers', `count(*) FILTER (WHERE kind = 'answer')`],
  ['measured', `count(*) FILTER (WHERE ${measured} OR message.cost IS NOT NULL)`],
  ['input', sum('input_tokens')],
  ['output', sum('output_tokens')],
  ['cached', sum('cached_tokens')],
  ['cache_write', sum('cache_write_tokens')],
  ['reasoning', sum('reasoning_tokens')],
  ['costed', 'count(message.cost)'],
  ['priced_input', sum('input_tokens', unpriced)],
  ['priced_output', sum('output_tokens', unpriced)],
  ['priced_cached', sum('cached_tokens', unpriced)],
  ['priced_cache_write', sum('cache_write_tokens', unpriced)],
  ['priced_messages', `count(*) FILTER (WHERE ${unpriced})`],
]
export const COST = 'coalesce(sum(message.cost), 0)'
const COLUMNS = `${COUNTED.map(([, sql]) => sql).join(', ')}, ${COST}`

/** Sums up some of what waits; false when nothing is left that is worth it. Within a transaction. */
export function sumSome(connection: Connection, few = FEW, step = STEP): boolean {
  const { prepare } = connection
  const waiting = prepare('SELECT range FROM unsummed LIMIT ?').all(step)
  if (waiting.length <= few) return false
  for (const { range } of waiting) {
    const chats = sumsOf(connection, Number(range))
    prepare('DELETE FROM unsummed WHERE range = ?').run(Number(range))
    if (chats.length === 0) prepare('DELETE FROM usage_sum WHERE range = ?').run(Number(range))
    else {
      const data = packSums(chats)
      prepare('INSERT OR REPLACE INTO usage_sum (range, data, sum) VALUES (?, ?, ?)').run(
        Number(range),
        data,
        crc32(data, Number(range)),
      )
    }
  }
  return true
}

/** What is kept of a chat, and of its neighbours, is counted again: it may be called by names that are gone. */
export function dropSums({ prepare }: Connection, chat: number): void {
  const range = chat >> RANGE_BITS
  prepare('DELETE FROM usage_sum WHERE range = ?').run(range)
  prepare('INSERT OR IGNORE INTO unsummed VALUES (?)').run(range)
}

/**
 * Tells the visitor what is kept of the chats that pass, and says which others have to be counted: those that were
 * written since, and those that began before the time asked for or went on after it. 'all' where nothing is kept.
 */
export function readKept(
  connection: Connection,
  filter: UsageFilter,
  visitor: SumsVisitor,
): number[] | 'all' {
  const { prepare } = connection
  const { from, to, keys, timeZone: _, tools: __, periods: ___, ...chats } = filter
  if (keys || prepare('SELECT 1 FROM usage_sum LIMIT 1').get() === undefined) return 'all'
  const chosen = Object.values(chats).some(Boolean) ? chosenChats(connection, chats) : undefined
  const left: number[] = []
  const isTimed = from !== undefined || to !== undefined
  const [earliest, latest] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
  const passing: SumsVisitor = {
    get numbers() {
      return visitor.numbers
    },
    // What has no time is of none that is asked for.
    entry: (slot, model) => (isTimed && slot === null ? -1 : visitor.entry(slot, model)),
    latency: (ms) => visitor.latency(ms),
    thinking: (ms) => visitor.thinking(ms),
    tool: (name, calls, failures) => visitor.tool(name, calls, failures),
    chat(chat) {
      if (chosen && !chosen.has(chat.chat)) return false
      if (isTimed && (chat.last < earliest || chat.first > latest)) return false
      if (!isTimed || (chat.first >= earliest && chat.last <= latest)) return visitor.chat(chat)
      left.push(chat.chat)
      return false
    },
  }
  const told = chosen || isTimed ? passing : visitor
  const rows = prepare(
    'SELECT range, data, sum FROM usage_sum WHERE range NOT IN (SELECT range FROM unsummed)',
  )
  const nameIn = knownNames()
  const summed = new Set<number>()
  for (const row of rows.iterate()) {
    const [range, data] = [Number(row.range), row.data as Uint8Array]
    summed.add(range)
    // What is damaged, or could not be kept, can be counted.
    const isKept = crc32(data, range) === row.sum && readSums(data, COUNTED.length, told, nameIn)
    if (!isKept) for (let i = 0; i < 2 ** RANGE_BITS; i++) left.push(range * 2 ** RANGE_BITS + i)
  }
  for (const chat of chatsBeside(connection, summed)) left.push(chat)
  return left
}

/** Chats in no range that has been summed up: without looking at the others. */
function chatsBeside({ prepare }: Connection, summed: ReadonlySet<number>): number[] {
  const last = Number(prepare('SELECT coalesce(max(key), -1) AS key FROM chat').get()!.key)
  const left: number[] = []
  for (let range = 0; range <= last >> RANGE_BITS; range++) {
    if (summed.has(range)) continue
    const bounds = [range * 2 ** RANGE_BITS, (range + 1) * 2 ** RANGE_BITS - 1]
    for (const { key } of prepare('SELECT key FROM chat WHERE key BETWEEN ? AND ?').all(...bounds))
      left.push(Number(key))
  }
  return left
}

function chosenChats({ prepare }: Connection, chats: UsageFilter): Set<number> {
  const { where, values } = conditions({ ...chats, subagents: true })
  const rows = prepare(`SELECT chat.key FROM chat WHERE ${where}`).all(...values)
  return new Set(rows.map(({ key }) => Number(key)))
}

/** Counts the chats of a range. */
function sumsOf({ prepare }: Connection, range: number): ChatSums[] {
  const bounds = [range * 2 ** RANGE_BITS, (range + 1) * 2 ** RANGE_BITS - 1]
  const chats = new Map<number, ChatSums>()
  const entries = new Map<string, Entry>()
  for (const row of prepare('SELECT key, source, workspace_key FROM chat WHERE key BETWEEN ? AND ?').all(
    ...bounds,
  ))
    chats.set(Number(row.key), {
      chat: Number(row.key),
      source: String(row.source),
      workspace: row.workspace_key as string | null,
      first: 0,
      last: 0,
      entries: [],
    })
  const within = 'message.chat BETWEEN ? AND ? AND message.copy_of IS NULL'
  const group = `message.chat AS chat, ${SLOT} AS slot, message.model AS model`
  const rows = prepare(
    `SELECT ${group}, min(${AT}), max(${AT}), group_concat(latency_ms), group_concat(thinking_ms), ${COLUMNS}
     ${FROM} WHERE ${within} GROUP BY 1, 2, 3`,
  ).lists(...bounds)
  for (const [key, slot, model, first, last, latencies, thinking, ...numbers] of rows) {
    const chat = chats.get(Number(key))!
    const cost = Number(numbers.pop())
    const entry: Entry = {
      slot: slot as number | null,
      model: model as string | null,
      numbers: numbers as number[],
      cost,
      latencies: listed(latencies),
      thinking: listed(thinking),
      tools: [],
    }
    chat.entries.push(entry)
    entries.set(nameOf(key, slot, model), entry)
    if (first === null) continue
    chat.first = chat.first === 0 ? Number(first) : Math.min(chat.first, Number(first))
    chat.last = Math.max(chat.last, Number(last))
  }
  const tools = prepare(
    `WITH failed AS MATERIALIZED (
       SELECT DISTINCT message.chat, tool_failure.call
       ${FROM} JOIN tool_failure ON tool_failure.message = message.key WHERE ${within}
     )
     SELECT ${group}, tool.name, count(*), count(failed.call)
     ${FROM} JOIN tool_call ON tool_call.message = message.key JOIN tool ON tool.key = tool_call.tool
     LEFT JOIN failed ON failed.chat = message.chat AND failed.call = tool_call.call
     WHERE ${within} GROUP BY 1, 2, 3, 4`,
  ).lists(...bounds, ...bounds)
  for (const [chat, slot, model, name, calls, failures] of tools)
    entries
      .get(nameOf(chat, slot, model))!
      .tools.push({ name: String(name), calls: Number(calls), failures: Number(failures) })
  return [...chats.values()]
}

function nameOf(chat: unknown, slot: unknown, model: unknown): string {
  return `${chat} ${slot} ${model ?? '\0'}`
}

function listed(values: unknown): number[] {
  return values === null ? [] : String(values).split(',').map(Number)
}
