// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export type Candidate = {
  sessionId: string
  firstRequest: string
  /** Epoch milliseconds */
  updatedAt: number | null
}

export type Call = {
  server?: string
  tool: string
  args?: Json
}

export type Result = {
  text?: string
  json?: Json
  error?: true
  exitCode?: number
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

export type Message = {
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
  toolCalls?: {
    id: string
    server?: string
    tool: string
    args?: Json
  }[]
  toolResults?: {
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
  }[]
  citations?: {
    url?: string
    path?: string
    title?: string
    text?: string
  }[]
  attachments?: {
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
  }[]
  files?: {
    path: string
    action: "read" | "edit" | "create" | "delete" | "rename"
  }[]
  model?: string
  usage?: {
    input?: number
    output?: number
    cached?: number
    cacheWrite?: number
    reasoning?: number
    searches?: number
    cost?: number
  }
  latencyMs?: number
  thinkingMs?: number
  undone?: boolean
  outcome?: "failed" | "cancelled"
  /** Repeated from the chat that this one was forked from */
  copy?: boolean
  /** A text of it is longer than is shown */
  cut?: true
}
