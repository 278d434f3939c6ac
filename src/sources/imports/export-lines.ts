import {
  type Attachment,
  type Chat,
  type ChatStatus,
  type Citation,
  type FileTouch,
  KINDS,
  type Message,
  type MessageKind,
  ROLES,
  type Role,
  type ToolCall,
  type ToolResult,
  type Usage,
  type Via,
} from '../../model/chat.ts'
import { number, object, string } from '../json.ts'

/** The first line of an export: which format, and that the file is one. */
export const EXPORT_HEADER = JSON.stringify({ recollect: 1, kind: 'export' })

/** The lines of one chat in an export. What only the archive knows of it is left out. */
export function* exportLines(chat: Chat, messages: Iterable<Message>): Generator<string> {
  yield JSON.stringify({ chat: chatShape(chat) })
  for (const message of messages) yield JSON.stringify({ chatId: chat.id, message: messageShape(message) })
}

/** The value where it is as it should be, else undefined. */
type Check<T> = (value: unknown) => T | undefined

const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
const anything: Check<unknown> = (value) => value

function oneOf<T extends string>(...values: T[]): Check<T> {
  return (value) => values.find((each) => each === value)
}

function listOf<T>(check: Check<T>): Check<T[]> {
  return (value) => (Array.isArray(value) ? value.flatMap((item) => check(item) ?? []) : undefined)
}

/** An object with these fields. One that is wrong is left out; where it is needed, the object is not one. */
function shape<T extends object>(checks: { [K in keyof T]-?: Check<T[K]> }, needed: (keyof T)[]): Check<T> {
  const fields = Object.entries(checks) as [string, Check<unknown>][]
  return (value) => {
    const given = object(value)
    if (!given) return undefined
    const kept: Record<string, unknown> = {}
    for (const [name, check] of fields) {
      const checked = Object.hasOwn(given, name) ? check(given[name]) : undefined
      if (checked !== undefined) kept[name] = checked
    }
    return needed.every((name) => Object.hasOwn(kept, name)) ? (kept as T) : undefined
  }
}

export const chatShape = shape<Chat>(
  {
    source: (value) => (/^[a-z0-9][a-z0-9-]{0,63}$/.test(string(value) ?? '') ? string(value) : undefined),
    id: (value) => string(value) || undefined,
    title: string,
    workspace: string,
    repository: string,
    branch: string,
    createdAt: number,
    updatedAt: number,
    parentId: string,
    forkOf: string,
    subagent: flag,
    background: flag,
    resume: string,
    status: oneOf<ChatStatus>('running', 'waiting', 'done', 'failed', 'cancelled'),
    format: string,
  },
  ['source', 'id'],
)

export const messageShape = shape<Message>(
  {
    id: (value) => string(value) || undefined,
    order: number,
    role: oneOf<Role>(...ROLES),
    kind: oneOf<MessageKind>(...KINDS),
    via: (value) => (/^(queued|refusal|answer|\/.+)$/.test(string(value) ?? '') ? (value as Via) : undefined),
    createdAt: number,
    text: string,
    thinking: string,
    toolCalls: listOf(
      shape<ToolCall>({ id: string, server: string, tool: string, args: anything }, ['id', 'tool']),
    ),
    toolResults: listOf(
      shape<ToolResult>(
        {
          callId: string,
          own: flag,
          text: string,
          json: anything,
          error: string,
          exitCode: number,
          durationMs: number,
          chat: string,
        },
        ['callId'],
      ),
    ),
    citations: listOf(shape<Citation>({ url: string, path: string, title: string, text: string }, [])),
    attachments: listOf(
      shape<Attachment>(
        {
          name: string,
          type: string,
          path: string,
          url: string,
          mimeType: string,
          bytes: number,
          text: string,
          data: string,
        },
        ['name', 'type'],
      ),
    ),
    files: listOf(
      shape<FileTouch>({ path: string, action: oneOf('read', 'edit', 'create', 'delete', 'rename') }, [
        'path',
        'action',
      ]),
    ),
    model: string,
    usage: shape<Usage>(
      {
        input: number,
        output: number,
        cached: number,
        cacheWrite: number,
        reasoning: number,
        searches: number,
        cost: number,
      },
      [],
    ),
    latencyMs: number,
    thinkingMs: number,
    undone: flag,
    outcome: oneOf('failed', 'cancelled'),
  },
  ['id', 'order', 'role', 'kind', 'text'],
)
