import { addRow, type Connection } from './connection.ts'
import type { ToolRow } from './prepared-message.ts'

/** Notes which tools a message calls and which calls it says have failed, in place of what was noted before. */
export function noteTools(connection: Connection, key: number, tools: ToolRow[], wasNoted: boolean): void {
  const { prepare } = connection
  if (wasNoted) {
    prepare('DELETE FROM tool_call WHERE message = ?').run(key)
    prepare('DELETE FROM tool_failure WHERE message = ?').run(key)
  }
  let number = 0
  for (const { hash, tool } of tools) {
    if (tool === undefined)
      prepare('INSERT OR IGNORE INTO tool_failure (message, call) VALUES (?, ?)').run(key, hash)
    else noteCall(connection, key, number++, hash, tool)
  }
}

const CALL = `INSERT OR IGNORE INTO tool_call (message, number, call, tool)
  SELECT ?, ?, ?, key FROM tool WHERE name = ?`

function noteCall(connection: Connection, message: number, number: number, hash: number, tool: string): void {
  const { changes } = connection.prepare(CALL).run(message, number, hash, tool)
  if (changes === 1) return
  // The first call of this tool.
  connection.prepare('INSERT OR IGNORE INTO tool (name) VALUES (?)').run(tool)
  addRow(connection, CALL, message, number, hash, tool)
}

/** Names of tools that no message calls any more. */
export function eraseUnusedTools({ prepare }: Connection): void {
  prepare('DELETE FROM tool WHERE key NOT IN (SELECT tool FROM tool_call)').run()
}
