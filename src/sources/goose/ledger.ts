import type { DatabaseSync } from 'node:sqlite'
import type { Message, Usage } from '../../model/chat.ts'
import { columnsOf } from '../foreign-db.ts'
import { millis, number, words } from '../json.ts'

/** Behind everything that was said. */
const LAST = 2 ** 40

/**
 * `usage_ledger` (schema 15): one row for each model call. Nothing joins a row to a message, so a
 * session's calls are told by day and model, after its messages.
 */
export function ledgerOf(db: DatabaseSync) {
  const known = columnsOf(db, 'usage_ledger')
  if (!['session_id', 'created_timestamp', 'model'].every((name) => known.includes(name))) return undefined
  const last = number(db.prepare('SELECT max(rowid) AS last FROM usage_ledger').get()?.last) ?? 0
  const sum = (name: string) => (known.includes(name) ? `sum(max(0, ${name}))` : 'NULL')
  const rows = db.prepare(
    `SELECT date(created_timestamp, 'unixepoch') AS day, CAST(model AS TEXT) AS model,
       max(created_timestamp) AS at, min(rowid) AS first, ${sum('input_tokens')} AS input,
       ${sum('output_tokens')} AS output, ${sum('cache_read_tokens')} AS cached,
       ${sum('cache_write_tokens')} AS written, ${sum('cost')} AS cost
     FROM usage_ledger WHERE session_id = ? AND rowid <= ${last} GROUP BY 1, 2 ORDER BY first`,
  )
  return {
    last,
    /** Sessions with calls after a row, as SQL. */
    changed: 'SELECT session_id FROM usage_ledger WHERE rowid > ?',
    messages(session: string): Message[] {
      return rows.all(session).flatMap((row): Message[] => {
        const model = words(row.model)?.slice(0, 200)
        const usage = usageOf(row)
        if (Object.keys(usage).length === 0) return []
        return [
          {
            id: `usage/${row.day ?? 'undated'}/${model ?? ''}`,
            order: LAST + (number(row.first) ?? 0),
            role: 'system',
            kind: 'notice',
            createdAt: millis(row.at),
            text: `Tokens of ${model ?? 'an unknown model'}${row.day ? `, ${row.day}` : ''}.`,
            model,
            usage,
          },
        ]
      })
    },
  }
}

function usageOf(row: Record<string, unknown>): Usage {
  const counts = {
    input: number(row.input),
    output: number(row.output),
    cached: number(row.cached),
    cacheWrite: number(row.written),
    cost: number(row.cost),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) as Usage
}
