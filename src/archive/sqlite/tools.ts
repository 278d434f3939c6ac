import type { Message } from '../../model/chat.ts'
import type { Connection } from './connection.ts'

/** Notes which tools a message calls and which calls it says have failed, in place of what was noted before. */
export function noteTools(
  { prepare }: Connection,
  key: number,
  { toolCalls, toolResults }: Pick<Message, 'toolCalls' | 'toolResults'>,
  wasNoted: boolean,
): void {
  if (wasNoted) {
    prepare('DELETE FROM tool_call WHERE message = ?').run(key)
    prepare('DELETE FROM tool_failure WHERE message = ?').run(key)
  }
  for (const [number, { id, server, tool }] of (toolCalls ?? []).entries()) {
    prepare('INSERT INTO tool_call (message, number, call, tool) VALUES (?, ?, ?, ?)').run(
      key,
      number,
      hashOfId(id),
      toolKey(prepare, server ? `${server}/${tool}` : tool),
    )
  }
  for (const { callId, error, exitCode } of toolResults ?? []) {
    if (error === undefined && !exitCode) continue
    prepare('INSERT OR IGNORE INTO tool_failure (message, call) VALUES (?, ?)').run(key, hashOfId(callId))
  }
}

/** Names of tools that no message calls any more. */
export function eraseUnusedTools({ prepare }: Connection): void {
  prepare('DELETE FROM tool WHERE key NOT IN (SELECT tool FROM tool_call)').run()
}

/** Of a call's id, 48 bits. Calls and results of one chat are matched by it. */
function hashOfId(id: string): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low + code, 0x85ebca6b) ^ (low >>> 13)
  }
  return (high >>> 8) * 2 ** 24 + (low >>> 8)
}

function toolKey(prepare: Connection['prepare'], name: string): number {
  const known = prepare('SELECT key FROM tool WHERE name = ?').get(name)
  return Number(known ? known.key : prepare('INSERT INTO tool (name) VALUES (?)').run(name).lastInsertRowid)
}
