// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export type Narrowing = {
  /** Assistant, e.g. claude-code */
  source?: string | string[]
  /** Project folder: path or name */
  workspace?: string | string[]
  /** Model */
  model?: string | string[]
  /** Only starred chats */
  starred?: boolean
  /** Months, YYYY-MM */
  months?: string[]
  /** Git: owner/name or URL */
  repository?: string
  /** Person; me: the user */
  author?: string
  /** Computer; this: here */
  machine?: string
}

export type Chosen = {
  /** Search words */
  query?: string
  /** Assistant, e.g. claude-code */
  source?: string
  /** Project folder: path or name */
  workspace?: string
  /** Last days, or YYYY-MM-DD */
  time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
    start?: string | number
    end?: string | number
  }
}

export type AgentMessage = {
  index: number
  messageId: string
  /** Epoch milliseconds */
  createdAt: number | null
  role: string
  /** Only where the role misleads */
  kind?: "request" | "answer" | "tool" | "delegated" | "summary" | "command" | "injected" | "notice"
  undone?: true
  content: string
  /** Of a request without words */
  attachments?: {
    type: string
    name: string
  }[]
  tools?: {
    calls?: Call[]
    results?: Result[]
  }
  /** The content continues */
  part?: {
    from: number
    of: number
  }
}

type Call = {
  server?: string
  tool: string
  args?: Json
}

type Result = {
  text?: string
  json?: Json
  error?: true
  exitCode?: number
}

export type AskedChat = {
  success: boolean
  error?: string
  candidates?: Candidate[]
  hint?: string
  sessionId?: string
  matched?: string
}

type Candidate = {
  sessionId: string
  firstRequest: string
  /** Epoch milliseconds */
  updatedAt: number | null
}

export type ChatHeader = {
  id: string
  /** The assistant, e.g. claude-code */
  source: string
  title: string
  workspace?: string
  /** Its git remote as host/owner/name */
  repository?: string
  branch?: string
  /** Whose it is, where it is not of this machine */
  author?: string
  /** Which it was read on, where it is not this one */
  machine?: string
  /** Epoch milliseconds */
  createdAt?: number
  /** Epoch milliseconds */
  updatedAt?: number
  /** The chat that started it as a sub-agent */
  parentId?: string
  forkOf?: string
  subagent?: boolean
  /** The command to resume it */
  resume?: string
  status?: "running" | "waiting" | "done" | "failed" | "cancelled"
  format?: string
  models: string[]
  messageCount: number
  requestCount: number
  /** Starred by its owner */
  pinned?: true
}

export type ListedChat = Pick<ChatHeader, 'source' | 'title' | 'workspace' | 'repository' | 'author' | 'machine' | 'status' | 'messageCount' | 'requestCount' | 'pinned'> & {
  chatId: string
  /** YYYY-MM-DD of its last message */
  date: string
  /** Epoch milliseconds */
  createdAt: number | null
  /** Epoch milliseconds */
  updatedAt: number | null
}

export type Metrics = {
  messages: number
  requests: number
  answers: number
  tokens: Tokens
  cost: {
    usd: number | null
    unknown: number
  }
  latencyMs: LatencyMs | null
  reasoningMs: LatencyMs | null
  tools: {
    calls: number
    failures: number
  }
}

export type Tokens = {
  input: number
  output: number
  cached: number
  cacheWrite: number
  reasoning: number
  /** Messages that say what they used */
  measured: number
}

export type LatencyMs = {
  p50: number
  p95: number
  count: number
}

export type ReadMessage = {
  index: number
  id: string
  role: "user" | "assistant" | "system" | "tool"
  kind: "request" | "answer" | "tool" | "delegated" | "summary" | "command" | "injected" | "notice"
  /** How a request came, where it was no prompt */
  via?: string
  /** Epoch milliseconds */
  createdAt?: number
  text: string
  thinking?: string
  toolCalls?: ToolCall[]
  toolResults?: ToolResult[]
  citations?: Citation[]
  attachments?: Attachment[]
  files?: {
    path: string
    action: "read" | "edit" | "create" | "delete" | "rename"
  }[]
  model?: string
  usage?: Usage
  latencyMs?: number
  thinkingMs?: number
  undone?: boolean
  outcome?: "failed" | "cancelled"
  /** Repeated from the chat that this one was forked from */
  copy?: boolean
  /** A text of it is longer than is shown */
  cut?: true
}

type ToolCall = {
  id: string
  server?: string
  tool: string
  args?: Json
}

type ToolResult = {
  callId: string
  own?: boolean
  text?: string
  json?: Json
  error?: string
  exitCode?: number
  durationMs?: number
  chat?: string
  /** How long its text is, where it is cut */
  chars?: number
}

type Citation = {
  url?: string
  path?: string
  title?: string
  text?: string
}

type Attachment = {
  name: string
  type: string
  path?: string
  url?: string
  mimeType?: string
  bytes?: number
  text?: string
  data?: string
  /** There is a picture, which one message whole tells */
  held?: true
}

export type Usage = {
  input?: number
  output?: number
  cached?: number
  cacheWrite?: number
  reasoning?: number
  searches?: number
  cost?: number
}

export type Relative = Pick<ChatHeader, 'id' | 'source' | 'title' | 'messageCount'>

export type Snippet = {
  messageId: string
  index: number
  role: string
  type: string
  /** Epoch milliseconds */
  createdAt?: number
  text: string
  source: "content" | "title" | "tool"
  /** Where in the text the words are */
  marks: [number, number][]
  relevance: number
}

export type SearchConversationsInput = Narrowing & {
  /** What to find: words, "exact phrase", -excluded; or a list */
  intent_query?: string | string[]
  /** Same as intent_query */
  query?: string | string[]
  /** Regular expression, instead of words */
  regex?: string
  /** Last days, or YYYY-MM-DD */
  time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
    start?: string | number
    end?: string | number
  }
  /** First day, YYYY-MM-DD */
  dateFrom?: string | number
  /** Last day */
  dateTo?: string | number
  /** fuzzy: also word forms, parts */
  precision_mode?: "basic" | "fuzzy"
  /** auto: also related words */
  expand?: "off" | "auto"
  /** false: not in tool calls */
  include_tools_in_search?: boolean
  /** Default both */
  scope?: "content" | "title" | "both"
  /** Only what these said */
  role_filter?: ("user" | "assistant" | "system" | "tool")[]
  /** Not with these words */
  exclude_terms?: string[]
  /** all: only chats with every word */
  match?: "any" | "all"
  /** Chats at most, default 10 */
  limit_chats?: number
  /** Same as limit_chats */
  limit?: number
  /** Per chat, default 3 */
  limit_snippets_per_chat?: number
  /** Words around a hit, default 64 */
  snippet_window?: number
  /** date: newest first */
  sort?: "relevance" | "date"
  /** text: shorter */
  response_mode?: "json" | "text"
  /** From the previous answer */
  cursor?: string
  /** guidance.state of the previous answer */
  state?: {

  }
}

export type Chat = Relative & {
  workspace?: string
  /** Its git remote as host/owner/name */
  repository?: string
  /** Whose it is, where it is not of this machine */
  author?: string
  /** Which it was read on, where it is not this one */
  machine?: string
  timeRange: {
    /** Epoch milliseconds */
    from: number | null
    /** Epoch milliseconds */
    to: number | null
  }
}
