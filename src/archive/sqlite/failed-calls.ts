import type { FailedCall, UsageFilter } from '../archive.ts'
import { Bodies } from './blocks.ts'
import type { Connection } from './connection.ts'
import { AT, FROM } from './kept-usage.ts'
import { messageFrom } from './message-row.ts'
import { messagesOf } from './metrics.ts'
import { chatReader } from './read.ts'

/** Calls of tools that failed, the newest first. Cost: a look at every failure of the time asked for. */
export function failedCalls(connection: Connection, filter: UsageFilter, limit: number): FailedCall[] {
  const { prepare } = connection
  const { where, values } = messagesOf(filter)
  const { tools } = filter
  const bodies = new Bodies(connection)
  const named = `(SELECT tool.name FROM chat_message AS caller JOIN tool_call ON tool_call.message = caller.key
    JOIN tool ON tool.key = tool_call.tool
    WHERE caller.chat = message.chat AND tool_call.call = tool_failure.call LIMIT 1)`
  return connection.reading(() =>
    prepare(
      `SELECT message.*, ${named} AS tool ${FROM} JOIN tool_failure ON tool_failure.message = message.key
       WHERE ${where} ${tools ? `AND ${named} IN (SELECT value FROM json_each(?))` : ''}
       ORDER BY ${AT} DESC LIMIT ?`,
    )
      .all(...values, ...(tools ? [JSON.stringify(tools)] : []), limit)
      .map((row) => ({
        chat: chatReader(connection)(prepare('SELECT * FROM chat WHERE key = ?').get(row.chat as number)!),
        message: messageFrom(row, bodies),
        ...(row.tool !== null && { tool: String(row.tool) }),
      })),
  )
}
