/** One conversation with one assistant, as it is known before its messages are. */
export interface Chat {
  /** Which assistant wrote it: the id of a source, e.g. `claude-code`. */
  source: string
  /** The id its own assistant gave it. */
  id: string
  /** A title the assistant or the person gave; without one the first request stands in. */
  title?: string
  /** Absolute path of the folder it was about. */
  workspace?: string
  /** `owner/name` or a remote URL. */
  repository?: string
  branch?: string
  createdAt?: number
  updatedAt?: number
  /** The chat that started this one: a sub-agent's parent. */
  parentId?: string
  /** The chat this one was copied from. */
  forkOf?: string
  subagent?: boolean
  /** It ran in the background on a copy of another chat: of two that begin alike it is never the original. */
  background?: boolean
  /** A shell command that goes on with this chat. */
  resume?: string
  status?: ChatStatus
  /** What wrote it, as the file says: `2.1.325`, `log`, `flat v3`. */
  format?: string
}

export const STATUSES = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const
export type ChatStatus = (typeof STATUSES)[number]

export type Role = 'user' | 'assistant' | 'system' | 'tool'

/**
 * What a message is, whoever its format says it is from. Only a `request` was really typed by the
 * person: much of what assistants file under the user's name is not.
 */
export type MessageKind =
  /** Typed by the person. */
  | 'request'
  /** Said by the assistant. */
  | 'answer'
  /** What a tool gave back. */
  | 'tool'
  /** The prompt an agent wrote for its sub-agent. */
  | 'delegated'
  /** What the assistant wrote down before it forgot the rest (compaction). */
  | 'summary'
  /** A slash command's expansion or its output. */
  | 'command'
  /** Context added by the tool: reminders, open files, system prompts. Never searched. */
  | 'injected'
  /** Errors, interruptions and other remarks of the tool itself. */
  | 'notice'

/** In the order by which the archive counts them: new ones go to the end. */
export const ROLES = ['user', 'assistant', 'system', 'tool'] as const satisfies Role[]
export const KINDS = [
  'request',
  'answer',
  'tool',
  'delegated',
  'summary',
  'command',
  'injected',
  'notice',
] as const satisfies MessageKind[]

/**
 * The ways of a request besides the prompt: typed while the assistant worked, said when a tool call
 * was refused, answered to a question of the assistant, or written behind a slash command.
 */
export type Via = 'queued' | 'refusal' | 'answer' | `/${string}`

export interface Message {
  /** Stable within its chat; the assistant's own id where it has one. */
  id: string
  /**
   * Where it stands in its chat: any number that grows from message to message and is the same at
   * each reading (a byte offset, a row number).
   */
  order: number
  role: Role
  kind: MessageKind
  /** How a request reached the assistant, where it was no ordinary prompt. */
  via?: Via
  createdAt?: number
  text: string
  thinking?: string
  toolCalls?: ToolCall[]
  toolResults?: ToolResult[]
  citations?: Citation[]
  attachments?: Attachment[]
  files?: FileTouch[]
  model?: string
  usage?: Usage
  /** From the request to the end of the answer. */
  latencyMs?: number
  /** How long the assistant thought before it spoke, only where the source says so. */
  thinkingMs?: number
  /** Taken back by the person: rewound, edited away, or removed from the file. */
  undone?: boolean
  /** The turn ended so; absent when it simply ended. */
  outcome?: 'failed' | 'cancelled'
}

export interface ToolCall {
  id: string
  /** The MCP server, where the tool belongs to one. */
  server?: string
  tool: string
  args?: unknown
}

export interface ToolResult {
  callId: string
  /** Recollect's own answer: shown, never searched, or what was recalled would be found again. */
  own?: boolean
  text?: string
  json?: unknown
  error?: string
  exitCode?: number
  durationMs?: number
  /** The chat of the sub-agent that the call started. */
  chat?: string
}

export interface Citation {
  url?: string
  path?: string
  title?: string
  text?: string
}

/** What was attached. */
export interface Attachment {
  name: string
  /** `file`, `image`, `selection`, `paste`, …: the assistant's own word. `injected` is what a tool put into a prompt. */
  type: string
  path?: string
  url?: string
  mimeType?: string
  bytes?: number
  text?: string
  /** What it holds, in base64: an image as it was shown. Never searched. */
  data?: string
}

export interface FileTouch {
  path: string
  action: 'read' | 'edit' | 'create' | 'delete' | 'rename'
}

/** Tokens of one model call. `input` counts everything the model read, `cached` the part of it that came from a cache. */
export interface Usage {
  input?: number
  output?: number
  cached?: number
  cacheWrite?: number
  reasoning?: number
  /** How often the model searched the web within the call. */
  searches?: number
  /** In US dollars, only where the source says so. */
  cost?: number
}
