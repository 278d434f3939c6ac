import { isSpecType, type JSONRPCMessage } from '@modelcontextprotocol/client'

/**
 * Takes tools that are not as the protocol has them out of a server's answer, and returns their names: for a single one
 * the library would refuse all, and the server with them.
 */
export function takeOutMisshapen(message: JSONRPCMessage): string[] {
  const result = 'result' in message ? message.result : undefined
  if (!result || !Array.isArray(result.tools)) return []
  const { tools } = result
  const sound = tools.filter((tool) => isSpecType.Tool(tool))
  if (sound.length === tools.length) return []
  result.tools = sound
  return tools.filter((tool) => !sound.includes(tool)).map(nameOf)
}

function nameOf(tool: unknown): string {
  const name = typeof tool === 'object' && tool && 'name' in tool ? tool.name : undefined
  return typeof name === 'string' && name !== '' ? name : 'one without a name'
}
