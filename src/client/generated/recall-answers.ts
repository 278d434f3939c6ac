// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Candidate, Call, Result, Tokens, LatencyMs, Message } from './shapes.ts'

export interface RecallAnswers {
  get_first_request: {
    success: boolean
    error?: string
    candidates?: Candidate[]
    hint?: string
    sessionId?: string
    matched?: string
    firstRequest?: string
    timestamp?: number | null
    requestsCount?: number
    notes?: string[]
  }
  get_request: {
    success: boolean
    error?: string
    candidates?: Candidate[]
    hint?: string
    sessionId?: string
    matched?: string
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
  list_requests: {
    success: boolean
    error?: string
    candidates?: Candidate[]
    hint?: string
    sessionId?: string
    matched?: string
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
    chat?: {
      id: string
      title: string
      /** The assistant, e.g. claude-code */
      source: string
      workspace?: string
      /** Its git remote as host/owner/name */
      repository?: string
      /** Whose it is, where it is not of this machine */
      author?: string
      /** Which it was read on, where it is not this one */
      machine?: string
      messageCount: number
      timeRange: {
        /** Epoch milliseconds */
        from: number | null
        /** Epoch milliseconds */
        to: number | null
      }
    }
    messages?: {
      index: number
      messageId: string
      /** Epoch milliseconds */
      createdAt: number | null
      role: string
      /** Only where the role misleads */
      kind?: "request" | "answer" | "tool" | "delegated" | "summary" | "command" | "injected" | "notice"
      undone?: true
      content: string
      tools?: {
        calls?: Call[]
        results?: Result[]
      }
      /** The content continues */
      part?: {
        from: number
        of: number
      }
    }[]
    /** Of several chats */
    meta?: {
      id: string
      title: string
      /** The assistant, e.g. claude-code */
      source: string
      /** Whose it is, where it is not of this machine */
      author?: string
      /** Which it was read on, where it is not this one */
      machine?: string
      messageCount: number
      chatIdx: number
      timeRange: {
        /** Epoch milliseconds */
        from: number | null
        /** Epoch milliseconds */
        to: number | null
      }
      sharedWithFork?: number
    }[]
    narrative?: {
      index: number
      messageId: string
      /** Epoch milliseconds */
      createdAt: number | null
      role: string
      /** Only where the role misleads */
      kind?: "request" | "answer" | "tool" | "delegated" | "summary" | "command" | "injected" | "notice"
      undone?: true
      content: string
      tools?: {
        calls?: Call[]
        results?: Result[]
      }
      /** The content continues */
      part?: {
        from: number
        of: number
      }
      chatIdx: number
    }[]
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
    chats: {
      title: string
      /** The assistant, e.g. claude-code */
      source: string
      workspace?: string
      /** Its git remote as host/owner/name */
      repository?: string
      /** Whose it is, where it is not of this machine */
      author?: string
      /** Which it was read on, where it is not this one */
      machine?: string
      messageCount: number
      requestCount: number
      /** Starred by its owner */
      pinned?: true
      status?: "running" | "waiting" | "done" | "failed" | "cancelled"
      chatId: string
      /** YYYY-MM-DD of its last message */
      date: string
      /** Epoch milliseconds */
      createdAt: number | null
      /** Epoch milliseconds */
      updatedAt: number | null
    }[]
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
    totals: {
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
    chat: {
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
    messages: Message[]
    notes?: string[]
  }
}
