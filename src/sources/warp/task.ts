import type { Message, ToolCall } from '../../model/chat.ts'
import { words } from '../json.ts'
import { count, type Fields, fieldsOf, inner, text } from './protobuf.ts'

/** Numbers of the fields of a task and of its messages. */
const TASK = { parent: 3, messages: 5 }
const MESSAGE = { id: 1, query: 2, output: 3, call: 4, result: 5, time: 14, reasoning: 15 }

/** The tools that a call may be of, by the number of its field. */
const TOOLS: Record<number, string> = {
  2: 'run_shell_command',
  5: 'read_files',
  6: 'apply_file_diffs',
  9: 'grep',
  12: 'call_mcp_tool',
  19: 'subagent',
}

/** The messages of a task; undefined where the bytes are none. */
export function taskMessages(bytes: Uint8Array, taskIndex: number): Message[] | undefined {
  const task = fieldsOf(bytes)
  if (!task) return undefined
  const isSubtask = inner(task, TASK.parent).some((dependency) => words(text(dependency, 1)) !== undefined)
  return inner(task, TASK.messages).flatMap((fields, index) => {
    const createdAt = timeOf(inner(fields, MESSAGE.time)[0])
    const about = {
      id: words(text(fields, MESSAGE.id)) ?? `${taskIndex}-${index}`,
      // Several messages may have the same time.
      order: (createdAt ?? 0) * 1000 + Math.min(index, 999),
      createdAt,
    }
    return messageOf(fields, about, isSubtask) ?? []
  })
}

function messageOf(
  fields: Fields,
  about: Pick<Message, 'id' | 'order' | 'createdAt'>,
  isSubtask: boolean,
): Message | undefined {
  const said = (field: number) => words(text(inner(fields, field)[0], 1))
  const answer = { ...about, role: 'assistant', kind: 'answer' } as const
  const query = said(MESSAGE.query)
  if (query) return { ...about, role: 'user', kind: isSubtask ? 'delegated' : 'request', text: query }
  const output = said(MESSAGE.output)
  if (output) return { ...answer, text: output }
  const thinking = said(MESSAGE.reasoning)
  if (thinking) return { ...answer, text: '', thinking }
  const [call] = inner(fields, MESSAGE.call)
  if (call) return { ...answer, text: '', toolCalls: [callOf(call)] }
  const [result] = inner(fields, MESSAGE.result)
  if (!result) return undefined
  const toolResults = [{ callId: text(result, 1) ?? '', text: textsIn(result).join('\n') }]
  return { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
}

function callOf(call: Fields): ToolCall {
  const field = [...call.keys()].find((number) => number > 1)
  const held = field === undefined ? undefined : inner(call, field)[0]
  const args = field === 2 ? { command: text(held, 1) } : held && { values: strings(held) }
  return {
    id: text(call, 1) ?? '',
    tool: (field !== undefined && TOOLS[field]) || `tool ${field ?? 'unknown'}`,
    ...(args && { args }),
  }
}

/** What a result says is not described: the texts in it, without its own id. */
function textsIn(result: Fields): string[] {
  const rest: Fields = new Map([...result].filter(([field]) => field > 1))
  return strings(rest)
}

const DEEPEST = 6

/** Every readable text below a message. */
function strings(fields: Fields, depth = 0): string[] {
  return [...fields.values()].flat().flatMap((value) => {
    if (typeof value === 'number') return []
    const nested = depth < DEEPEST && value.length > 0 ? fieldsOf(value) : undefined
    const decoded = readable(value)
    // A short text may look like a message; what reads as text is one.
    if (decoded !== undefined) return words(decoded) ? [decoded] : []
    return nested ? strings(nested, depth + 1) : []
  })
}

function readable(bytes: Uint8Array): string | undefined {
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

function timeOf(stamp: Fields | undefined): number | undefined {
  const seconds = count(stamp, 1)
  if (!seconds || seconds > 1e11) return undefined
  return seconds * 1000 + Math.floor(Math.min(count(stamp, 2) ?? 0, 999_999_999) / 1e6)
}
