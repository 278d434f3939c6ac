import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { Capability } from '../capabilities/capability.ts'
import type { Caller } from '../service/caller.ts'
import { definitionOf } from '../service/definitions.ts'
import { MALFORMED, UNKNOWN_CAPABILITY } from '../service/failure.ts'
import { call, type Service } from '../service/service.ts'

/** Clients that load tools only when searched for are asked to have these at hand. */
const CORE = new Set(['search_conversations', 'gather_chats'])

export function toolList(capabilities: Capability[]): Tool[] {
  return capabilities.map((capability) => {
    const { name, title, description, inputSchema, writes } = definitionOf(capability)
    return {
      name,
      title,
      description,
      inputSchema: inputSchema as Tool['inputSchema'],
      annotations: writes
        ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
        : { readOnlyHint: true, openWorldHint: false },
      ...(CORE.has(name) && { _meta: { 'anthropic/alwaysLoad': true } }),
    }
  })
}

/** Told as the protocol's error, not as a tool's answer. The library's own class would load it: see first-call.ts. */
class InvalidParams extends Error {
  readonly code = -32_602
}

/** Calls a capability. Text and structured content are the same JSON. */
export async function callTool(
  service: Service,
  name: string,
  given: Record<string, unknown>,
  caller: Caller,
): Promise<CallToolResult> {
  const { answer, failure } = await call(service, name, given, caller)
  if (answer) return result(answer, answer.success === false)
  const { code, message, hint, details } = failure
  if (code === UNKNOWN_CAPABILITY) throw new InvalidParams(`Unknown tool: ${name}`)
  if (code === MALFORMED) throw new InvalidParams(hint ? `${message} ${hint}` : message)
  return result({ code, message, ...(hint && { hint }), ...details }, true)
}

function result(answer: Record<string, unknown>, isError: boolean): CallToolResult {
  const text = JSON.stringify(answer)
  return {
    content: [{ type: 'text', text }],
    // The very same JSON: what is undefined is left out of both.
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(isError && { isError }),
  }
}
