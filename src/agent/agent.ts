import type { Usage } from '../model/chat.ts'
import type { AgentConfig } from '../platform/config.ts'
import type { ChatCitation } from '../recall/citations.ts'
import type { FormContent, FormField } from './form.ts'

/**
 * Answers a person's message with a model and the tools of every MCP server that is configured, and
 * of Recollect itself. What happens is told as it happens, and written down as a chat.
 */
export interface Agent {
  /** Answers a message. Ends early, with `paused`, where a person has to allow a tool first. */
  run(request: RunRequest, tell: (event: AgentEvent) => void, signal: AbortSignal): Promise<RunResult>
  /** Goes on with a paused run, once every approval it waits for is decided. */
  resume(sessionId: string, tell: (event: AgentEvent) => void, signal: AbortSignal): Promise<RunResult>
  /** The same as `run`, but it goes on whoever listens: `follow` tells of it, `stop` ends it. */
  start(request: RunRequest): Promise<{ sessionId: string }>
  /** The same as `resume`, likewise. */
  startAgain(sessionId: string): Promise<{ sessionId: string }>
  /**
   * Tells what happened in a dialog since a place that was told before, from its beginning without one, and
   * what happens until its answer ends.
   */
  follow(
    sessionId: string,
    after: string | undefined,
    tell: (event: FollowedEvent, place: string | undefined) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Ends the answer that is being given here, and says how the dialog is then. */
  stop(sessionId: string): Promise<AgentSession>
  approvals(): Promise<Approval[]>
  /** What MCP servers ask while their tools run here, and nobody has answered yet. */
  questions(): Promise<Question[]>
  /** Throws `QUESTION_NOT_FOUND` where nobody waits for it. */
  answer(id: string, answer: Answer): Promise<Question>
  /** Throws `APPROVAL_NOT_FOUND` where there is none, or where it was decided already. */
  decide(id: string, decision: Decision): Promise<Approval>
  providers(): Promise<ProviderStatus[]>
  models(): Promise<ModelStatus[]>
  servers(): Promise<ServerStatus[]>
  tools(): Promise<ToolStatus[]>
  sessions(): Promise<AgentSession[]>
  /** The same a page at a time; `next` is where the next one begins. */
  sessionPage(query: SessionQuery): Promise<{ sessions: AgentSession[]; next?: string }>
  session(id: string): Promise<AgentSession & { messages: SessionMessage[] }>
  /** The places in past chats that a text names, and whether they exist and say what is quoted. */
  citations(text: string): Promise<ChatCitation[]>
  /** What models cost today, by provider, and what may be spent. */
  spent(): Promise<{
    day: string
    providers: { provider: string; tokens: number; cost: number }[]
    budget?: AgentConfig['budget']
  }>
  /** Erases it here and in the archive. */
  deleteSession(id: string): Promise<void>
  close(): Promise<void>
}

export interface RunRequest {
  /** May be left out where `toolResults` are what the model waits for. */
  message: string
  attachments?: Attachment[]
  /** Goes on with an earlier dialog; without it a new one begins. */
  sessionId?: string
  /** Asks instead of this request of that dialog: a copy of what was said before goes on, and the dialog stays. */
  instead?: string
  provider?: string
  model?: string
  parameters?: RunParameters
  /** What becomes of a tool that a person would have to allow, where nobody can be asked: it is denied. */
  unattended?: boolean
  /** What a program that asks tells the model about its part, besides our own instructions. */
  system?: string
  /** What was said before, in a dialog that began elsewhere. */
  history?: Earlier[]
  /** What the model said and got after `message`, likewise elsewhere. */
  since?: Earlier[]
  /** Tools that the program that asks runs itself: the run ends with `tools` where the model calls one. */
  clientTools?: ClientTool[]
  /** What such calls gave. */
  toolResults?: { callId: string; text: string }[]
}

/** What a model may be asked besides; what a provider does not take is refused by name. */
export interface RunParameters {
  temperature?: number
  maxOutputTokens?: number
  maxToolIterations?: number
  /** Whether the model is offered tools; true. */
  tools?: boolean
  topP?: number
  seed?: number
  stop?: string[]
  presencePenalty?: number
  frequencyPenalty?: number
  parallelToolCalls?: boolean
  reasoning?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
  /** Whether it must call a tool of the program that asks, may not call any, or which one. */
  toolChoice?: 'auto' | 'none' | 'required' | { tool: string }
  /** The answer is JSON, by this schema if there is one. */
  json?: { schema?: Record<string, unknown>; name?: string; description?: string }
}

/** A picture or a file that goes with a message: its bytes in base64, its text, or where it is. */
export interface Attachment {
  name: string
  mimeType: string
  data?: string
  text?: string
  url?: string
}

export interface ClientTool {
  name: string
  description?: string
  inputSchema: Record<string, unknown>
}

/** A message of a dialog that began elsewhere. */
export type Earlier =
  | { role: 'user'; text: string; attachments?: Attachment[] }
  | { role: 'assistant'; text: string; calls?: { id: string; name: string; args: unknown }[] }
  | { role: 'tool'; callId: string; text: string }

export type AgentEvent =
  /** `answers`: how many the model had given in this dialog before. */
  | { type: 'start'; sessionId: string; provider: string; model: string; answers: number }
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-call'; id: string; tool: string; server: string; args: unknown }
  | { type: 'tool-result'; id: string; tool: string; success: boolean; result: string; durationMs: number }
  /** How far a tool is, as its server tells; not kept. */
  | { type: 'progress'; id: string; tool: string; done: number; total?: number; message?: string }
  | { type: 'approval'; approval: Approval }
  /** An MCP server asks while its tool runs; told again with its outcome. */
  | { type: 'question'; question: Question }
  /** One call of the model ended. */
  | { type: 'step'; usage: Usage; latencyMs: number; finish: Finish }
  /** Something to know that is not part of the answer: a server that is down, a model without tools. */
  | { type: 'notice'; text: string }

/** What is told to whoever follows a dialog: besides what happens, what was asked and how it ended. */
export type FollowedEvent =
  | AgentEvent
  | {
      type: 'request'
      id: string
      text: string
      attachments: { name: string; mimeType: string }[]
      /** The answer is to be a JSON document. */
      json?: boolean
    }
  | { type: 'done'; result: RunResult }
  | { type: 'stopped'; sessionId: string }
  | { type: 'error'; code: string; message: string; hint?: string; sessionId: string }

export interface SessionQuery {
  limit?: number
  /** Where the page before said that the next one begins. */
  cursor?: string
  status?: AgentSession['status']
}

/** Why the model stopped. */
export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls'

export interface RunResult {
  sessionId: string
  /** `tools`: the program that asked has to run its own tools first. */
  status: 'done' | 'paused' | 'tools'
  message: string
  finish: Finish
  /** What that program has to run. */
  calls?: { id: string; name: string; args: unknown }[]
  toolResults: { toolName: string; success: boolean; result: string }[]
  usage: Usage & { steps: number }
  provider: string
  model: string
  /** What it waits for, while paused. */
  approvals: Approval[]
  /** Things to know beside the answer. */
  notices: string[]
  /** The places in past chats that the answer names, each looked up. */
  citations?: ChatCitation[]
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

/** What an MCP server asks while its tool runs: a form to fill in, or whether the model may answer it. */
export interface Question {
  id: string
  sessionId: string
  kind: 'form' | 'sampling'
  server: string
  /** The server's words; of `sampling`, what the model would be asked. */
  message: string
  fields: FormField[]
  askedAt: number
  outcome?: Answer['action']
}

export interface Answer {
  action: 'accept' | 'decline' | 'cancel'
  /** What was filled in, by the names of the fields; kept nowhere. */
  content?: FormContent
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
  /** The person set it up: it is none of those that everybody has. */
  own: boolean
  /** How many tokens its models are to read at most, where the person said so. */
  context?: number
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
  /** Why it failed or is disabled; of one that is ready, which of its tools are left out. */
  problem?: string
  transport: 'stdio' | 'http' | 'sse' | 'own'
  tools: number
  /** What the person has to enter before it can be started. */
  wants?: { name: string; description?: string }[]
  /** The command by which the person signs in to it, where it wants that. */
  login?: string
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
  /** It runs, and a server waits for the person's answer. */
  asks?: boolean
}

export interface SessionMessage {
  role: 'user' | 'assistant' | 'tool'
  text: string
  createdAt: number
  /** Of a request: by it another can be asked `instead`. */
  id?: string
  toolCalls?: { id: string; tool: string; args: unknown }[]
  toolResult?: { id: string; tool: string; success: boolean; result: string }
}
