// Written by scripts/client-types.ts from the schemas of src/capabilities.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** What each capability takes. */
export interface Inputs {
  get_first_request: {
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
  }
  get_request: {
    /** Number of the request, 1 = first */
    index: number
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
  }
  list_requests: {
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
    /** First number, default 1 */
    from?: number
    /** How many, default 20 */
    limit?: number
  }
  search_conversations: {
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
  gather_chats: {
    chatIds: string[]
    /** false: no tool calls */
    includeTools?: boolean
    /** Only what these said */
    roles?: ("user" | "assistant" | "system" | "tool")[]
    /** First message index, from 0 */
    from?: number
    /** Last message index */
    to?: number
    /** Characters, default 10000 */
    max_chars?: number
    /** From the previous answer */
    cursor?: string
  }
  list_chats: {
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
    /** Last days, or YYYY-MM-DD */
    time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
      start?: string | number
      end?: string | number
    }
    /** Part of the title */
    title?: string
    /** State of the last turn */
    status?: ("running" | "waiting" | "done" | "failed" | "cancelled")[]
    sort?: "updated" | "created" | "messages" | "title"
    /** How many, default 20 */
    limit?: number
    /** true: also sub-agent chats */
    subagents?: boolean
    /** From the previous answer */
    cursor?: string
  }
  resolve_ids: {
    /** Start of a chat id */
    chatIdPrefix?: string
    /** Start of a message id */
    messageIdPrefix?: string
    /** Results at most */
    limit?: number
  }
  collect_evidence: {
    chatIds?: string[]
    /** Words that find the chats */
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
    /** Only these kinds */
    kinds?: ("citation" | "web" | "link" | "attachment" | "file" | "command" | "code")[]
    /** Characters, default 10000 */
    max_chars?: number
    /** From the previous answer */
    cursor?: string
  }
  usage_metrics: {
    /** Last days, or YYYY-MM-DD */
    time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
      start?: string | number
      end?: string | number
    }
    /** Also totals per group */
    group_by?: "day" | "hour" | "model" | "source" | "workspace" | "repository" | "tool" | "chat" | "subagent"
    chatIds?: string[]
    /** Assistant, e.g. claude-code */
    source?: string
    /** Project folder: path or name */
    workspace?: string
    /** Git: owner/name or URL */
    repository?: string
    /** Person; me: the user */
    author?: string
    /** Computer; this: here */
    machine?: string
    /** Only calls of this tool */
    tool?: string
    /** e.g. Europe/Berlin */
    time_zone?: string
    /** Groups at most */
    limit?: number
  }
  export_chats: {
    chatIds?: string[]
    /** Words that find the chats */
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
    format: "markdown" | "json" | "jsonl" | "finetune-openai" | "finetune-anthropic" | "html"
    /** File to write; else the text is returned */
    path?: string
    /** Always on for agents */
    redact?: boolean
    /** true: overwrite the file */
    force?: boolean
    /** finetune: an example each */
    examples?: "chat" | "turn"
  }
  read_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    format?: "markdown" | "plain"
    /** Only the last n entries */
    lastSessions?: number
    /** Default: what fits an answer */
    maxBytes?: number
  }
  append_context: {
    /** The entry, in Markdown */
    content: string
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first line */
    title?: string
  }
  init_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    projectName?: string
    projectDescription?: string
  }
  export_conversation: {
    /** Chat id, unique prefix, or "current" */
    sessionId: string
    /** Folder; default: the one you work in */
    workspace?: string
    format?: "summary" | "full"
  }
  get_context_summary: {
    /** Folder; default: the one you work in */
    workspace?: string
  }
  get_resume_command: {
    /** Folder; default: the one you work in */
    workspace?: string
    sessionId?: string
  }
  export_to_memory: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first that exists */
    target?: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    /** false (default): only show the diff */
    apply?: boolean
  }
  import_from_memory: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first that exists */
    from?: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    /** false (default): only show the diff */
    apply?: boolean
  }
  archive_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Entries to keep, default 20 */
    keepSessions?: number
  }
}

/** What each capability answers. */
export interface Answers {
  get_first_request: {
    success: boolean
    error?: string
    candidates?: {
      sessionId: string
      firstRequest: string
      /** Epoch milliseconds */
      updatedAt: number | null
    }[]
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
    candidates?: {
      sessionId: string
      firstRequest: string
      /** Epoch milliseconds */
      updatedAt: number | null
    }[]
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
    candidates?: {
      sessionId: string
      firstRequest: string
      /** Epoch milliseconds */
      updatedAt: number | null
    }[]
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
  search_conversations: {
    status: string
    iterations_used: number
    confidence: number
    totalFound: number
    topChatIds: string[]
    results: {
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
      chatId: string
      sessionId: string
      date: string
      updatedAt?: number
      relevance: number
      hits: number
      timeRange: {
        from?: number
        to?: number
      }
      /** Starred */
      pinned?: true
      snippets: {
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
      }[]
    }[]
    guidance: {
      stopIf: string
      nextActions: {
        tool: string
        args: { [name: string]: Json }
        why: string
      }[]
      state: {
        expandedTerms: string[]
        excludes: string[]
        iteration: number
        tried: string[]
      }
    }
    tried?: {
      word: string
      instead: string[]
    }[]
    translated?: {
      word: string
      as: string[]
    }[]
    timeFilter?: {
      words: string
      from?: number
      to?: number
      lifted?: true
    }
    nextCursor?: string
    text?: string
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
        calls?: {
          server?: string
          tool: string
          args?: Json
        }[]
        results?: {
          text?: string
          json?: Json
          error?: true
          exitCode?: number
        }[]
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
        calls?: {
          server?: string
          tool: string
          args?: Json
        }[]
        results?: {
          text?: string
          json?: Json
          error?: true
          exitCode?: number
        }[]
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
      tokens: {
        input: number
        output: number
        cached: number
        cacheWrite: number
        reasoning: number
        /** Messages that say what they used */
        measured: number
      }
      cost: {
        usd: number | null
        unknown: number
      }
      latencyMs: {
        p50: number
        p95: number
        count: number
      } | null
      reasoningMs: {
        p50: number
        p95: number
        count: number
      } | null
      tools: {
        calls: number
        failures: number
      }
    }
    groups?: {
      messages?: number
      requests?: number
      answers?: number
      tokens?: {
        input: number
        output: number
        cached: number
        cacheWrite: number
        reasoning: number
        /** Messages that say what they used */
        measured: number
      }
      cost?: {
        usd: number | null
        unknown: number
      }
      latencyMs?: {
        p50: number
        p95: number
        count: number
      } | null
      reasoningMs?: {
        p50: number
        p95: number
        count: number
      } | null
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
  export_chats: {
    format: string
    chats: number
    messages: number
    path?: string
    bytes?: number
    text?: string
    truncated?: string
    notFound?: {
      id: string
      error: string
    }[]
    notes?: string[]
  }
  read_context: {
    content: string
    metadata: {
      path: string
      size: number
      lastModified: string
      sessionCount: number
      truncated?: boolean
    }
  }
  append_context: {
    success: boolean
    timestamp: string
    path: string
    /** Secrets that were masked before it was written */
    redacted?: number
  }
  init_context: {
    success: boolean
    path: string
    template: "standard"
  }
  export_conversation: {
    success: boolean
    exported: {
      title: string
      messageCount: number
      timestamp: string
    }
    entry: "added" | "updated" | "unchanged"
    note: string
    path: string
  }
  get_context_summary: {
    path: string
    exists: boolean
    stats: {
      size: number
      lines: number
      words: number
      sessions: number
    }
    lastModified: string
    recentSessions: {
      timestamp: string
      preview: string
    }[]
  }
  get_resume_command: {
    success: boolean
    command: string
    sessionId: string
    source: string
    updatedAt?: number
    workspace?: string
  }
  export_to_memory: {
    success: boolean
    target: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    path: string
    diff: string
    applied: boolean
  }
  import_from_memory: {
    success: boolean
    from: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    read: string
    path: string
    entry: "added" | "updated" | "unchanged"
    diff: string
    applied: boolean
  }
  archive_context: {
    success: boolean
    path: string
    archivePath: string
    archived: number
    kept: number
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
    messages: {
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
    }[]
    notes?: string[]
  }
}

export type CapabilityName = keyof Inputs

/** One method for each capability; what goes wrong is thrown as a `Problem`. */
export type Client = {
  [N in CapabilityName]: (
    input: Inputs[N],
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Answers[N]>
}

export interface ClientOptions {
  /** Where `recollect serve` listens, e.g. http://127.0.0.1:3940 */
  url: string
  /** Of `recollect token create`. */
  token: string
  fetch?: typeof fetch
}

/** An error with what to do next. */
export interface Problem extends Error {
  code: string
  /** Of HTTP. */
  status: number
  hint?: string | undefined
}
