import { addRow, type Connection } from './connection.ts'
import type { ToolRow } from './prepared-message.ts'

/** The keys of tools by their names, within one transaction. */
export type ToolKeys = Map<string, number>

/** Notes which tools a message calls and which calls it says have failed, in place of what was noted before. */
export function noteTools(
  connection: Connection,
  key: number,
  tools: ToolRow[],
  wasNoted: boolean,
  known: ToolKeys = new Map(),
): void {
  const { prepare } = connection
  if (wasNoted) {
    prepare('DELETE FROM tool_call WHERE message = ?').run(key)
    prepare('DELETE FROM tool_failure WHERE message = ?').run(key)
  }
  let number = 0
  for (const { hash, tool } of tools) {
    if (tool === undefined)
      prepare('INSERT OR IGNORE INTO tool_failure (message, call) VALUES (?, ?)').run(key, hash)
    else addRow(connection, CALL, key, number++, hash, keyOf(connection, tool, known))
  }
}

const CALL = 'INSERT OR IGNORE INTO tool_call (message, number, call, tool) VALUES (?, ?, ?, ?)'

function keyOf(connection: Connection, name: string, known: ToolKeys): number {
  const at = known.get(name)
  if (at !== undefined) return at
  const row = connection.prepare('SELECT key FROM tool WHERE name = ?').get(name)
  const key = row ? Number(row.key) : addRow(connection, 'INSERT OR IGNORE INTO tool (name) VALUES (?)', name)
  known.set(name, key)
  return key
}

/** Names of tools that no message calls any more. */
export function eraseUnusedTools({ prepare }: Connection): void {
  prepare('DELETE FROM tool WHERE key NOT IN (SELECT tool FROM tool_call)').run()
}
