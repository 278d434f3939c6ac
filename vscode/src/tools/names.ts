/**
 * VS Code refuses tools whose name begins with `copilot_`, except Copilot's own; the name by which
 * people and prompt files refer to a tool is free.
 */
export const TOOL_PREFIX = 'chat_secretary_'
export const REFERENCE_PREFIX = `copilot_${TOOL_PREFIX}`

export function capabilityOf(toolName: string): string {
  return toolName.slice(TOOL_PREFIX.length)
}
