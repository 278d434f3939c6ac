import type { FileTouch, ToolCall, Usage } from '../../model/chat.ts'
import { type Json, number, object, objects, parsed, string, words } from '../json.ts'

/** For these the extension shows what came back in `content`; for edits it is what was written. */
const SHOWS_RESULT = new Set([
  'listFilesTopLevel',
  'listFilesRecursive',
  'listCodeDefinitionNames',
  'searchFiles',
  'codebaseSearch',
  'webFetch',
  'webSearch',
])

const TOUCHES: Record<string, FileTouch['action']> = {
  readFile: 'read',
  editedExistingFile: 'edit',
  appliedDiff: 'edit',
  insertContent: 'edit',
  searchAndReplace: 'edit',
  newFileCreated: 'create',
  fileDeleted: 'delete',
}

/** The tool call that an entry of `ui_messages.json` shows, if it shows one. */
export function toolSeen(
  what: string,
  text: string,
): (Omit<ToolCall, 'id'> & { result?: string }) | undefined {
  switch (what) {
    case 'command':
      return text.trim() ? { tool: 'execute_command', args: { command: text } } : undefined
    case 'browser_action_launch':
      return { tool: 'browser_action', args: { action: 'launch', url: text } }
    case 'browser_action':
    case 'new_task':
    case 'use_subagents':
      return { tool: what, args: parsed(text) }
    case 'use_mcp_server':
      return mcpSeen(object(parsed(text)))
    case 'tool':
      return editorToolSeen(object(parsed(text)))
    default:
      return undefined
  }
}

export function filesOf({ tool, args }: Omit<ToolCall, 'id'>): FileTouch[] {
  const action = Object.hasOwn(TOUCHES, tool) ? TOUCHES[tool] : undefined
  if (!action) return []
  const about = object(args)
  const paths = [about?.path, ...objects(about?.batchFiles).map((file) => file.path)]
  return paths.flatMap((path): FileTouch[] => (words(path) ? [{ path: String(path), action }] : []))
}

/**
 * Tokens of one call. Cline counts cached tokens apart from `tokensIn`; newer Roo Code, which also
 * names the protocol, counts them in.
 */
export function requestUsage(info: Json): Usage | undefined {
  const fresh = number(info.tokensIn)
  const output = number(info.tokensOut)
  const cached = number(info.cacheReads)
  const cacheWrite = number(info.cacheWrites)
  const cost = number(info.cost)
  if (fresh === undefined && output === undefined && cost === undefined) return undefined
  const aside = (cached ?? 0) + (cacheWrite ?? 0)
  const counted = words(info.apiProtocol) !== undefined && (fresh ?? 0) >= aside
  return { input: (fresh ?? 0) + (counted ? 0 : aside), output, cached, cacheWrite, cost }
}

function mcpSeen(call: Json | undefined): Omit<ToolCall, 'id'> | undefined {
  if (!call) return undefined
  const server = words(call.serverName)
  const tool = words(call.toolName)
  if (tool) return { server, tool, args: parsed(call.arguments) }
  return { server, tool: 'access_mcp_resource', args: { uri: call.uri } }
}

function editorToolSeen(shown: Json | undefined): (Omit<ToolCall, 'id'> & { result?: string }) | undefined {
  const tool = words(shown?.tool)
  if (!shown || !tool) return undefined
  const { tool: _, content, ...args } = shown
  if (SHOWS_RESULT.has(tool)) return { tool, args, result: string(content) }
  // Of a file that was read only its path is kept, in `content` once more.
  if (tool === 'readFile' || content === undefined) return { tool, args }
  return { tool, args: { ...args, content } }
}
