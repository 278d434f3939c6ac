import type { Usage } from '../model/chat.ts'

/**
 * Answers a person's message with a model and the tools of every MCP server that is configured, and
 * of Recollect itself. What happens is told as it happens, and written down as a chat.
 */
export interface Agent {
  /** Answers a message. Ends early, with `paused`, where a person has to allow a tool first. */
  run(request: RunRequest, tell: (event: AgentEvent) => void, signal: AbortSignal): Promise<RunResult>
  /** Goes on with a paused run, once every approval it waits for is decided. */
  resume(sessionId: string, tell: (event: AgentEvent) => void, signal: AbortSignal): Promise<RunResult>
  approvals(): Promise<Approval[]>
  /** Throws `APPROVAL_NOT_FOUND` where there is none, or where it was decided already. */
  decide(id: string, decision: Decision): Promise<Approval>
  providers(): Promise<ProviderStatus[]>
  models(): Promise<ModelStatus[]>
  /** Asks a provider for its models with the key that is set: throws where it refuses. */
  checkProvider(id: string): Promise<string[]>
  servers(): Promise<ServerStatus[]>
  tools(): Promise<ToolStatus[]>
  sessions(): Promise<AgentSession[]>
  session(id: string): Promise<AgentSession & { messages: SessionMessage[] }>
  /** Erases it here and in the archive. */
  deleteSession(id: string): Promise<void>
  close(): Promise<void>
}

export interface RunRequest {
  message: string
  /** Goes on with an earlier dialog; without it a new one begins. */
  sessionId?: string
  provider?: string
  model?: string
  parameters?: {
    temperature?: number
    maxOutputTokens?: number
    maxToolIterations?: number
    /** Whether the model is offered tools; true. */
    tools?: boolean
  }
  /** What becomes of a tool that a person would have to allow, where nobody can be asked: it is denied. */
  unattended?: boolean
}

export type AgentEvent =
  | { type: 'start'; sessionId: string; provider: string; model: string }
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-call'; id: string; tool: string; server: string; args: unknown }
  | { type: 'tool-result'; id: string; tool: string; success: boolean; result: string; durationMs: number }
  | { type: 'approval'; approval: Approval }
  /** One call of the model ended. */
  | { type: 'step'; usage: Usage }
  /** Something to know that is not part of the answer: a server that is down, a model without tools. */
  | { type: 'notice'; text: string }

export interface RunResult {
  sessionId: string
  status: 'done' | 'paused'
  message: string
  toolResults: { toolName: string; success: boolean; result: string }[]
  usage: Usage & { steps: number }
  provider: string
  model: string
  /** What it waits for, while paused. */
  approvals: Approval[]
  /** Things to know beside the answer. */
  notices: string[]
}

export interface Approval {
  id: string
  sessionId: string
  tool: string
  server: string
  args: unknown
  askedAt: number
  decision?: Decision['decision']
}

export interface Decision {
  decision: 'allow' | 'deny'
  reason?: string
  /** For how long it holds: this call, this dialog, this tool or its server from now on. */
  remember?: 'once' | 'session' | 'tool' | 'server'
}

export interface ProviderStatus {
  id: string
  name: string
  /** Whether it can be used as things are; where not, `problem` says what to do. */
  ready: boolean
  problem?: string
  defaultModel?: string
  url?: string
  /** Where its key comes from. */
  key: 'environment' | 'keychain' | 'file' | 'missing' | 'none needed'
  /** It runs on this machine. */
  local: boolean
}

export interface ModelStatus {
  id: string
  provider: string
  tools: boolean
  /** US dollars per million tokens, where known. */
  price?: { input: number; output: number }
  /** How many tokens it reads, of a model on this machine. */
  context?: number
  /** Whether it takes images, where known. */
  images?: boolean
}

export interface ServerStatus {
  id: string
  name: string
  description?: string
  status: 'ready' | 'starting' | 'failed' | 'disabled'
  /** Why it failed or is disabled. */
  problem?: string
  transport: 'stdio' | 'http' | 'own'
  tools: number
}

export interface ToolStatus {
  /** As the model is offered it. */
  name: string
  server: string
  description: string
  available: boolean
  approval: 'always' | 'ask' | 'never'
  inputSchema: unknown
}

export interface AgentSession {
  id: string
  title: string
  createdAt: number
  updatedAt: number
  provider: string
  model: string
  status: 'running' | 'paused' | 'done' | 'failed' | 'cancelled'
}

export interface SessionMessage {
  role: 'user' | 'assistant' | 'tool'
  text: string
  createdAt: number
  toolCalls?: { id: string; tool: string; args: unknown }[]
  toolResult?: { id: string; tool: string; success: boolean; result: string }
}
