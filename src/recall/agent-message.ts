import type { Attachment, MessageKind, ToolResult } from '../model/chat.ts'
import type { LiveMessage } from './live.ts'
import { cutAt } from './preview.ts'

/** A message as it is handed to an agent: what was said, and its tools as blocks. */
export interface AgentMessage {
  index: number
  messageId: string
  createdAt: number | null
  role: string
  /** Only where the role misleads: not everything in the user's name was typed by the user. */
  kind?: MessageKind
  undone?: true
  content: string
  /** Of a request without words. */
  attachments?: { type: string; name: string }[]
  tools?: { calls?: AgentCall[]; results?: AgentResult[] }
  /** The content goes on: it begins or ends in the middle. */
  part?: { from: number; of: number }
}

interface AgentCall {
  server?: string
  tool: string
  args?: unknown
}

type AgentResult = ({ text: string } | { json: unknown }) & { error?: true; exitCode?: number }

const MOST_NAMED = 20

/** A request that is all picture (or another file): nothing was written beside it. */
export function isWordless(
  message: LiveMessage,
): message is LiveMessage & Required<Pick<LiveMessage, 'attachments'>> {
  return message.text === '' && message.kind === 'request' && Boolean(message.attachments?.length)
}

function named({ type, name }: Attachment): { type: string; name: string } {
  return { type, name: cutAt(name, 200) }
}

const PLAIN = new Set<MessageKind>(['request', 'answer', 'tool', 'notice'])

/** `mostToolText`: longer arguments and results are cut; how many were is counted in `cut`. */
export function agentMessage(
  message: LiveMessage,
  { tools, mostToolText, cut }: { tools: boolean; mostToolText: number; cut: { texts: number } },
): AgentMessage {
  const told: AgentMessage = {
    index: message.index,
    messageId: message.id,
    createdAt: message.createdAt ?? null,
    role: message.role,
    ...(!PLAIN.has(message.kind) && { kind: message.kind }),
    ...(message.undone && { undone: true }),
    content: message.text,
    ...(isWordless(message) && { attachments: message.attachments.slice(0, MOST_NAMED).map(named) }),
  }
  if (!tools) return told
  const calls = message.toolCalls?.map(({ server, tool, args }) => ({
    ...(server && { server }),
    tool,
    ...(args !== undefined && { args: shortJson(args, mostToolText, cut) }),
  }))
  const results = message.toolResults?.map((result) => agentResult(result, mostToolText, cut))
  if (calls?.length || results?.length) {
    told.tools = { ...(calls?.length && { calls }), ...(results?.length && { results }) }
  }
  return told
}

function agentResult(result: ToolResult, most: number, cut: { texts: number }): AgentResult {
  const marks = {
    ...(result.error !== undefined && { error: true as const }),
    ...(result.exitCode && { exitCode: result.exitCode }),
  }
  const said = result.error ?? result.text
  if (said === undefined && result.json !== undefined) {
    const json = shortJson(result.json, most, cut)
    return { ...(json === result.json ? { json } : { text: String(json) }), ...marks }
  }
  return { text: short(said ?? '', most, cut), ...marks }
}

function shortJson(value: unknown, most: number, cut: { texts: number }): unknown {
  if (typeof value === 'string') return short(value, most, cut)
  const written = JSON.stringify(value) ?? ''
  return written.length <= most ? value : short(written, most, cut)
}

function short(text: string, most: number, cut: { texts: number }): string {
  if (text.length <= most) return text
  cut.texts++
  // The end of an output tells as much as its beginning.
  const head = cutAt(text, Math.ceil(most * 0.7))
  const tail = text.slice(text.length - Math.floor(most * 0.3)).toWellFormed()
  return `${head}\n[… ${text.length - head.length - tail.length} characters …]\n${tail}`
}
