// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Json, Usage, SearchConversationsInput } from './shapes.ts'

export type Workspace = {
  path: string
  chats: number
  newestAt?: number
}

export type Origins = {
  repository: {
    name: string
    chats: number
  }[]
  author: {
    name: string
    chats: number
  }[]
  machine: {
    name: string
    chats: number
  }[]
}

export type CitationsAnswerCitation = {
  /** As it is written */
  uri: string
  /** Where in the text it is */
  from: number
  to: number
  /** The chat and the message exist, and the message says what is quoted */
  verified: boolean
  /** Why not */
  problem?: string
  chatId?: string
  source?: string
  title?: string
  date?: string
  /** Whose chat it is, where it is not of this machine */
  author?: string
  /** Of the message */
  index?: number
}

export type Search = {
  name: string
  /** As `search_conversations` takes it */
  input: Omit<SearchConversationsInput, 'response_mode' | 'cursor' | 'state'>
  savedAt: number
}

export type ChatsAnswer = {
  chats: number
  messages: number
  /** Another process is reading an older state: bytes of them are wiped when it is done */
  pending?: boolean
  /** Forks that lost the beginning which they shared; their own words stay */
  forks?: string[]
  /** Chats that were not forgotten and begin with the same messages */
  originals?: string[]
}

export type Token = {
  id: string
  name: string
  createdAt: number
  expiresAt?: number
  scopes: ("read" | "context" | "export" | "ask" | "approve")[]
}

export type SettingsAnswer = {
  settings: {
    sources: { [name: string]: boolean }
    homes: (string | {
      path: string
      platform?: "linux" | "darwin" | "win32"
    })[]
    embeddings?: {
      url: string
      model: string
      apiKeyEnv?: string
      dimensions?: number
    }
    redactAtRest?: boolean
    terminal?: {
      osc52?: boolean
      mouse?: boolean
    }
    agent?: {
      provider?: string
      model?: string
      instructions?: string
      maxToolIterations: number
      maxOutputTokens: number
      toolTimeoutSeconds: number
      maxResultChars: number
      providers: { [name: string]: {
        name?: string
        kind?: "anthropic" | "openai" | "gemini" | "openai-compatible"
        url?: string
        model?: string
        apiKeyEnv?: string
        tools?: boolean
        images?: boolean
        api?: "chat" | "responses"
        context?: number
      } }
      approvals: { [name: string]: "always" | "ask" | "never" }
      cache: { [name: string]: number }
      budget?: Budget
    }
  }
  path: string
  /** Of `homes`: those that are not there now */
  missingHomes: string[]
}

export type Budget = {
  run?: {
    tokens?: number
    cost?: number
  }
  day?: {
    tokens?: number
    cost?: number
  }
  providers?: { [name: string]: {
    tokens?: number
    cost?: number
  } }
}

export type ChatAnswer = {
  sessionId: string
  status: "done" | "paused" | "tools"
  message: string
  /** Why the model stopped */
  finish: "stop" | "length" | "content-filter" | "tool-calls"
  /** What the program that asked has to run */
  calls?: {
    id: string
    name: string
    args?: Json
  }[]
  toolResults: {
    toolName: string
    success: boolean
    result: string
  }[]
  usage: Usage & {
    steps: number
  }
  provider: string
  model: string
  /** What it waits for, while paused */
  approvals: Approval[]
  notices: string[]
  /** Places in past chats that the answer names, each looked up */
  citations?: CitationsAnswerCitation[]
}

export type Approval = {
  id: string
  sessionId: string
  tool: string
  server: string
  /** As the model gave them */
  args?: Json
  askedAt: number
  decision?: "allow" | "deny"
}

export type StopAnswer = {
  id: string
  title: string
  createdAt: number
  updatedAt: number
  provider: string
  model: string
  status: "running" | "paused" | "done" | "failed" | "cancelled"
  /** It runs, and a server waits for the answer of the person */
  asks?: boolean
}

export type Provider = {
  provider: string
  tokens: number
  cost: number
}

export type ModelSettingsAnswer = {
  /** Who answers where nobody is named */
  provider?: string
  model?: string
  keys: {
    /** Whether this system has a keychain */
    keychain: boolean
    /** Where the next key goes: the name of the keychain, else a file */
    place: string
  }
  budget?: Budget
  /** Today, by provider */
  spent: Provider[]
}

export type Question = {
  id: string
  sessionId: string
  /** A form to fill in, or whether the model may answer it */
  kind: "form" | "sampling"
  server: string
  /** The words of the server; of `sampling`, what the model would be asked */
  message: string
  fields: {
    name: string
    title: string
    description?: string
    /** `several` of `choices`, as many as wanted */
    type: "string" | "number" | "integer" | "boolean" | "several"
    required: boolean
    choices?: {
      value: string
      title: string
    }[]
    default?: string | number | boolean | string[]
    format?: "email" | "uri" | "date" | "date-time"
    /** Of a number, of the letters of a text, or of how many are chosen */
    least?: number
    most?: number
  }[]
  askedAt: number
  outcome?: "accept" | "decline" | "cancel"
}

export type ResponsesAnswer = {
  id: string
  object: "response"
  created_at: number
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled"
  model: string
  output: Json[]
  error: {
    code: string
    message: string
  } | null
  incomplete_details: {
    reason: "max_output_tokens" | "content_filter"
  } | null
  instructions: string | null
  metadata: { [name: string]: Json }
  parallel_tool_calls: boolean
  previous_response_id: string | null
  temperature: number | null
  top_p: number | null
  tool_choice: Json
  tools: Json[]
  usage: {
    input_tokens: number
    input_tokens_details: {
      cached_tokens: number
    }
    output_tokens: number
    output_tokens_details: {
      reasoning_tokens: number
    }
    total_tokens: number
  } | null
}
