import type { FileTouch, Message } from '../../model/chat.ts'
import { type Json, list, object, plain, words } from '../json.ts'

/** What a block of each kind is called as a tool. */
const TOOLS: Record<string, string> = {
  ToolBlockUpdatedEvent: 'tool',
  TerminalBlockUpdatedEvent: 'terminal',
  ViewFilesBlockUpdatedEvent: 'view_files',
  FileChangesBlockUpdatedEvent: 'change_files',
  McpBlockUpdatedEvent: 'mcp',
}

/** A block of the screen: the final answer, or a tool with what it gave back. Other blocks are decoration. */
export function blockMessages(
  step: string,
  order: number,
  createdAt: number | undefined,
  event: Json,
): Message[] {
  const about = { createdAt, role: 'assistant', kind: 'answer' } as const
  if (event.kind === 'ResultBlockUpdatedEvent') {
    const text = words(event.text) ?? words(event.result) ?? words(event.details)
    return text ? [{ id: step, order, ...about, text }] : []
  }
  const tool = TOOLS[String(event.kind)]
  if (!tool) return []
  const args = argsOf(event)
  const files = filesOf(event)
  const called: Message = {
    id: step,
    order,
    ...about,
    text: '',
    toolCalls: [{ id: step, tool: words(event.toolName) ?? tool, ...(args !== undefined && { args }) }],
    ...(files.length > 0 && { files }),
  }
  const output = plain(event.details ?? event.output)
  if (!output) return [called]
  const isError = /^(FAILED|ERROR)$/i.test(plain(event.status))
  const toolResults = [{ callId: step, ...(isError ? { error: output } : { text: output }) }]
  return [
    called,
    {
      id: `${step}/result`,
      order: order + 0.5,
      createdAt,
      role: 'tool',
      kind: 'tool',
      text: '',
      toolResults,
    },
  ]
}

function argsOf({ input, text, command, files, changes }: Json): unknown {
  if (input !== undefined && input !== null) return input
  const given = Object.entries({ text, command, files, changes }).filter(([, value]) => value != null)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

function filesOf(event: Json): FileTouch[] {
  const touched = (items: unknown, action: FileTouch['action']): FileTouch[] =>
    list(items).flatMap((item) => {
      const file = words(item) ?? words(object(item)?.path) ?? words(object(item)?.filePath)
      return file ? [{ path: file, action }] : []
    })
  return [...touched(event.files, 'read'), ...touched(event.changes, 'edit')]
}
