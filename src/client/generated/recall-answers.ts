// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { AgentMessage, AskedChat, ChatHeader, ListedChat, Metrics, Tokens, LatencyMs, ReadMessage, Chat } from './shapes.ts'

export interface RecallAnswers {
  get_first_request: AskedChat & {
    firstRequest?: string
    timestamp?: number | null
    requestsCount?: number
    notes?: string[]
  }
  get_request: AskedChat & {
    request?: string
    index?: number
    timestamp?: number | null
    /** How a request came, where it was no prompt */
    via?: string
    totalRequests?: number
    leftOut?: {
      characters: number
      how: string
    }
    notes?: string[]
  }
  list_requests: AskedChat & {
    totalRequests?: number
    requests?: {
      index: number
      preview: string
      timestamp: number | null
      /** How a request came, where it was no prompt */
      via?: string
    }[]
    notes?: string[]
  }
  gather_chats: {
    /** Of one chat */
    chat?: Chat
    messages?: AgentMessage[]
    /** Of several chats */
    meta?: (Omit<Chat, 'workspace' | 'repository'> & {
      chatIdx: number
      sharedWithFork?: number
    })[]
    narrative?: (AgentMessage & {
      chatIdx: number
    })[]
    commonAlignment?: {
      role: string
      content: string
      refs: {
        chatIdx: number
        index: number
        messageIdPrefix: string
      }[]
    }[]
    differences?: {
      chatIdx: number
      only: {
        index: number
        role: string
        content: string
      }[]
    }[]
    notFound?: {
      id: string
      error: string
    }[]
    leftOut?: {
      messages: number
      cursor?: string
      cutToolTexts?: number
      commonAlignment?: number
      differences?: number
      how: string
    }
    notes?: string[]
  }
  list_chats: {
    chats: ListedChat[]
    nextCursor?: string
    notes?: string[]
  }
  resolve_ids: {
    chats: {
      chatId: string
      title: string
      source: string
    }[]
    messages: {
      messageId: string
      chatId: string
      index: number
      role: string
      preview: string
    }[]
    ambiguous: boolean
    notes?: string[]
  }
  collect_evidence: {
    totals: { [name in "citation" | "web" | "link" | "attachment" | "file" | "command" | "code"]?: number }
    evidence: {
      kind: "citation" | "web" | "link" | "attachment" | "file" | "command" | "code"
      value: string
      title?: string
      language?: string
      actions?: string[]
      exitCode?: number
      failures?: number
      count: number
      where: {
        chatId: string
        messageId: string
        index: number
        createdAt: number | null
      }[]
    }[]
    notFound?: {
      id: string
      error: string
    }[]
    leftOut?: {
      items: number
      cursor: string
      how: string
    }
    notes?: string[]
  }
  usage_metrics: {
    group_by?: string
    timeRange: {
      /** Epoch milliseconds */
      from: number | null
      /** Epoch milliseconds */
      to: number | null
    }
    totals: Metrics
    groups?: {
      messages?: number
      requests?: number
      answers?: number
      tokens?: Tokens
      cost?: {
        usd: number | null
        unknown: number
      }
      latencyMs?: LatencyMs | null
      reasoningMs?: LatencyMs | null
      tools?: {
        calls: number
        failures: number
      }
      key: string
      title?: string
      names?: string[]
    }[]
    /** By tool: the newest calls that failed */
    failed?: {
      tool: string
      source: string
      chatId: string
      title: string
      index: number
      createdAt: number | null
      error: string
    }[]
    prices: {
      asOf: string
      unknownModels: string[]
    }
    notFound?: {
      id: string
      error: string
    }[]
    leftOut?: {
      groups: number
      how: string
    }
    notes?: string[]
  }
  read_chat: {
    chat: ChatHeader
    messages: ReadMessage[]
    notes?: string[]
  }
}
