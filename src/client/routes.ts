// Written by scripts/client-types.ts from the schemas of src/http.
import type { Json } from './types.ts'

type Citation = {
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

type Message = {
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

type Input = {
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
}

type ChatsAnswer = {
  chats: number
  messages: number
  /** Another process is reading an older state: bytes of them are wiped when it is done */
  pending?: boolean
  /** Forks that lost the beginning which they shared; their own words stay */
  forks?: string[]
  /** Chats that were not forgotten and begin with the same messages */
  originals?: string[]
}

type Token = {
  id: string
  name: string
  createdAt: number
  expiresAt?: number
  scopes: ("read" | "context" | "export" | "ask" | "approve")[]
}

type Setting = {
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
    budget?: {
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
  }
}

type ChatAnswer = {
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
  usage: {
    input?: number
    output?: number
    cached?: number
    cacheWrite?: number
    reasoning?: number
    searches?: number
    cost?: number
    steps: number
  }
  provider: string
  model: string
  /** What it waits for, while paused */
  approvals: Approval[]
  notices: string[]
  /** Places in past chats that the answer names, each looked up */
  citations?: Citation[]
}

type Approval = {
  id: string
  sessionId: string
  tool: string
  server: string
  /** As the model gave them */
  args?: Json
  askedAt: number
  decision?: "allow" | "deny"
}

type SettingsAnswer = {
  /** Who answers where nobody is named */
  provider?: string
  model?: string
  keys: {
    /** Whether this system has a keychain */
    keychain: boolean
    /** Where the next key goes: the name of the keychain, else a file */
    place: string
  }
  budget?: {
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
  /** Today, by provider */
  spent: {
    provider: string
    tokens: number
    cost: number
  }[]
}

type Field = {
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
}

type ResponsesAnswer = {
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

/** What each address of the REST interface answers, besides those of capabilities. */
export interface Routes {
  'GET /api/v1/overview': {
    version: string
    sample: boolean
    archive: {
      chats: number
      messages: number
      bytes: number
      lastSyncAt?: number
      /** Nothing can be written to it here */
      readOnly?: boolean
    }
    sources: {
      source: string
      name: string
      chats: number
      messages: number
      newestAt?: number
    }[]
    /** How the page marks each assistant, by its id */
    badges: { [name: string]: {
      letters: string
      colour: string
    } }
    sync: {
      state: "off" | "starting"
    } | {
      state: "reading"
      done: number
      total: number
    } | {
      state: "in step"
      /** The process that keeps it so, where it is another */
      by?: number
    } | {
      state: "failed"
      reason: string
    }
    workspaces: {
      path: string
      chats: number
      newestAt?: number
    }[]
    /** What chats can be narrowed to by where they come from, the most used first */
    origins: {
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
    agent: {
      ready: boolean
    }
    /** Somebody who may read these spaces and nothing else */
    guest?: {
      spaces: string[]
    }
  }
  'GET /api/v1/states': { [name in "running" | "waiting" | "done" | "failed" | "cancelled"]?: number }
  'GET /api/v1/sources': {
    sources: {
      source: string
      name: string
      on: boolean
      looked: number
      /** Systems that it runs on, where this is none of them */
      onlyOn?: string[]
      found: string[]
      unreadable: string[]
      formats: {
        format: string
        chats: number
      }[]
      overview?: {
        source: string
        chats: number
        messages: number
        requests: number
        files: number
        /** Records that could not be read */
        problems: number
        newestAt?: number
        lastSyncAt?: number
      }
      /** What the assistant will delete, and what is only in the archive */
      vanishing?: {
        /** After which the assistant deletes a chat */
        days?: number
        setting?: string
        /** Where the setting is, or would be */
        settingFile?: string
        /** Set there, and not only by default */
        isSet?: boolean
        /** When the next of its files may go */
        nextAt?: number
        /** Files that may go within a week */
        soon: number
        soonUnarchived: number
        /** Chats whose files are gone already */
        onlyHere: number
      }
      problems: {
        problem: string
        hint: string
        /** The file or folder that it is about */
        file?: string
        /** What it is, for whoever says it in other words */
        kind?: "unreadable" | "records" | "more"
        /** Of records, or of files */
        count?: number
        reason?: string
      }[]
    }[]
  }
  'GET /api/v1/chats/{chat}': {
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
      /** The command to resume it */
      resume?: string
      status?: "running" | "waiting" | "done" | "failed" | "cancelled"
      format?: string
      models: string[]
      messageCount: number
      requestCount: number
      /** Starred by its owner */
      pinned?: true
      sourceName: string
      filePaths: string[]
    }
    relatives: {
      parent?: {
        id: string
        /** The assistant, e.g. claude-code */
        source: string
        title: string
        messageCount: number
      }
      original?: {
        id: string
        /** The assistant, e.g. claude-code */
        source: string
        title: string
        messageCount: number
      }
      subagents: {
        id: string
        /** The assistant, e.g. claude-code */
        source: string
        title: string
        messageCount: number
      }[]
      forks: {
        id: string
        /** The assistant, e.g. claude-code */
        source: string
        title: string
        messageCount: number
      }[]
    }
    requests: {
      n: number
      index: number
      preview: string
      createdAt?: number
    }[]
    sizes: number[]
    /** What was asked and finally answered: indexes of messages */
    focus: number[]
  }
  'POST /api/v1/citations': {
    citations: Citation[]
  }
  'GET /api/v1/chats/{chat}/messages': {
    messages: Message[]
    total: number
  }
  'GET /api/v1/chats/{chat}/messages/{index}': {
    message: Message
  }
  'GET /api/v1/chats/{chat}/steps': {
    /** At most 300; of more, every second, third … */
    steps: {
      index: number
      preview: string
    }[]
    /** How many there are */
    all: number
  }
  'GET /api/v1/chats/{chat}/find': {
    hits: {
      index: number
      count: number
    }[]
    /** What was found, as it is written in the chat, in small letters */
    words: string[]
  }
  'POST /api/v1/facets': {
    source: {
      value: string
      chats: number
    }[]
    workspace: {
      value: string
      chats: number
    }[]
    model: {
      value: string
      chats: number
    }[]
    role: {
      value: string
      chats: number
    }[]
    month: {
      value: string
      chats: number
    }[]
  }
  'GET /api/v1/searches': {
    searches: {
      name: string
      /** As `search_conversations` takes it */
      input: Input
      savedAt: number
    }[]
  }
  'PUT /api/v1/searches': {
    name: string
    /** As `search_conversations` takes it */
    input: Input
    savedAt: number
  }
  'DELETE /api/v1/searches/{name}': {
    removed: string
  }
  'PUT /api/v1/chats/{chat}/notes': {
    title: string
    name?: string
    pinned: boolean
    archived: boolean
  }
  'DELETE /api/v1/chats/{chat}': ChatsAnswer
  'POST /api/v1/forget': ChatsAnswer
  'GET /api/v1/context': {
    path: string
    exists: boolean
    content: string
    etag: string
    entries: {
      timestamp: string
      title: string
      sessionIds: string[]
    }[]
  }
  'PUT /api/v1/context': {
    etag: string
  }
  'GET /api/v1/tokens': {
    tokens: Token[]
  }
  'POST /api/v1/tokens': {
    id: string
    name: string
    createdAt: number
    expiresAt?: number
    scopes: ("read" | "context" | "export" | "ask" | "approve")[]
    token: string
  }
  'DELETE /api/v1/tokens/{token}': {
    revoked: Token
  }
  'GET /api/v1/settings': {
    settings: Setting
    path: string
    /** Of `homes`: those that are not there now */
    missingHomes: string[]
  }
  'PUT /api/v1/settings': {
    settings: Setting
    path: string
    /** Of `homes`: those that are not there now */
    missingHomes: string[]
  }
  'POST /api/v1/sample': {
    sample: boolean
  }
  'GET /api/v1/backups': {
    /** Where the weekly ones and those made here are */
    folder: string
    /** How many are kept there */
    kept: number
    /** What they take there together */
    bytes: number
    backups: {
      name: string
      /** `before-update`: a plain copy, made before an older archive was brought up to date */
      kind: "backup" | "before-update"
      file: string
      createdAt: number
    }[]
  }
  'POST /api/v1/backups': {
    name: string
    file: string
    /** Of the archive */
    bytes: number
    /** What this backup added to its folder */
    addedBytes: number
    removed: string[]
  }
  'GET /api/v1/hub': {
    joined: boolean
    address?: string
    person?: string
    machine?: string
    reachable?: boolean
    /** In how many milliseconds the server answered */
    answeredMs?: number
    readOnly?: boolean
    trouble?: {
      code: string
      message: string
      hint?: string
    }
    spaces: {
      space: string
      kind: "own" | "team"
      sealed: boolean
      /** The database of its chats, where it is not the hub’s own */
      home?: string
      shares: {
        workspace?: string
        repository?: string
        all?: boolean
      }[]
      /** Messages to be looked at for pushing */
      waiting: number
      /** How far the first push is, in messages of this machine */
      sending?: {
        done: number
        all: number
      }
      /** How far a pull is, in changes of the space */
      receiving?: {
        done: number
        all: number
      }
      pulledChats: number
      pulledMessages: number
      /** How far behind the server this machine is */
      lag?: number
      pushedAt?: number
      pulledAt?: number
      unreadable: number
      trouble?: {
        code: string
        message: string
        hint?: string
        since: number
      }
    }[]
  }
  'POST /api/v1/hub/share': {
    shared: boolean
    preview: {
      space: string
      kind: "own" | "team"
      sealed: boolean
      readers: string[]
      chats: number
      messages: number
      from?: number
      to?: number
      /** Messages that secrets are taken out of before they are sent */
      redacted: number
      /** With what tools answered */
      answers: boolean
      titles: string[]
    }
  }
  'POST /api/v1/hub/unshare': {
    removed: number
  }
  'POST /api/v1/chat': ChatAnswer
  'POST /api/v1/chat/{sessionId}/resume': ChatAnswer
  'POST /api/v1/runs': {
    sessionId: string
  }
  'POST /api/v1/sessions/{sessionId}/resume': {
    sessionId: string
  }
  'POST /api/v1/sessions/{sessionId}/stop': {
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
  'GET /api/v1/sessions': {
    sessions: {
      id: string
      title: string
      createdAt: number
      updatedAt: number
      provider: string
      model: string
      status: "running" | "paused" | "done" | "failed" | "cancelled"
      /** It runs, and a server waits for the answer of the person */
      asks?: boolean
    }[]
    /** Where the next page begins; none on the last */
    next?: string
  }
  'GET /api/v1/sessions/{sessionId}': {
    id: string
    title: string
    createdAt: number
    updatedAt: number
    provider: string
    model: string
    status: "running" | "paused" | "done" | "failed" | "cancelled"
    /** It runs, and a server waits for the answer of the person */
    asks?: boolean
    messages: {
      role: "user" | "assistant" | "tool"
      text: string
      createdAt: number
      /** Of a request: what `instead` takes */
      id?: string
      toolCalls?: {
        id: string
        tool: string
        args?: Json
      }[]
      toolResult?: {
        id: string
        tool: string
        success: boolean
        result: string
      }
    }[]
  }
  'DELETE /api/v1/sessions/{sessionId}': {
    deleted: string
  }
  'GET /api/v1/approvals': {
    approvals: Approval[]
  }
  'POST /api/v1/approvals/{id}': {
    id: string
    sessionId: string
    tool: string
    server: string
    /** As the model gave them */
    args?: Json
    askedAt: number
    decision?: "allow" | "deny"
  }
  'GET /api/v2/providers': {
    providers: {
      id: string
      name: string
      ready: boolean
      /** Why not, and what to do */
      problem?: string
      defaultModel?: string
      url?: string
      /** Where its key comes from */
      key: "environment" | "keychain" | "file" | "missing" | "none needed"
      /** It runs on this machine */
      local: boolean
      /** The person set it up: it is none of those that everybody has */
      own: boolean
      /** How many tokens its models are to read at most, where set */
      context?: number
    }[]
  }
  'GET /api/v2/models': {
    models: {
      id: string
      provider: string
      tools: boolean
      /** US dollars per million tokens */
      price?: {
        input: number
        output: number
      }
      /** How many tokens it reads, of a model on this machine */
      context?: number
      /** Whether it takes images, where known */
      images?: boolean
    }[]
  }
  'GET /api/v2/spending': {
    day: string
    providers: {
      provider: string
      tokens: number
      cost: number
    }[]
    budget?: {
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
  }
  'GET /api/v2/mcp/servers': {
    servers: {
      id: string
      name: string
      description?: string
      status: "ready" | "starting" | "failed" | "disabled"
      problem?: string
      transport: "stdio" | "http" | "sse" | "own"
      tools: number
      /** What has to be entered before it can be started: `PUT /api/v2/mcp/inputs/{name}` */
      wants?: {
        name: string
        description?: string
      }[]
    }[]
  }
  'GET /api/v2/mcp/tools': {
    tools: {
      name: string
      server: string
      description: string
      available: boolean
      approval: "always" | "ask" | "never"
      /** A JSON schema */
      inputSchema: Json
    }[]
  }
  'PUT /api/v2/providers/{provider}': {
    id: string
    name: string
    /** Where its key is */
    key: "keychain" | "file" | "environment" | "none"
    default: boolean
    model?: string
    /** How many it told of */
    models?: number
    notes: string[]
  }
  'DELETE /api/v2/providers/{provider}': {
    removed: boolean
  }
  'DELETE /api/v2/providers/{provider}/key': {
    removed: boolean
  }
  'POST /api/v2/providers/{provider}/test': {
    /** How many it told of; many that are like OpenAI do not tell */
    models?: number
    /** Why it could not be asked */
    note?: string
  }
  'GET /api/v2/model-settings': SettingsAnswer
  'PUT /api/v2/model-settings': SettingsAnswer
  'GET /api/v1/questions': {
    questions: {
      id: string
      sessionId: string
      /** A form to fill in, or whether the model may answer it */
      kind: "form" | "sampling"
      server: string
      /** The words of the server; of `sampling`, what the model would be asked */
      message: string
      fields: Field[]
      askedAt: number
      outcome?: "accept" | "decline" | "cancel"
    }[]
  }
  'POST /api/v1/questions/{id}': {
    id: string
    sessionId: string
    /** A form to fill in, or whether the model may answer it */
    kind: "form" | "sampling"
    server: string
    /** The words of the server; of `sampling`, what the model would be asked */
    message: string
    fields: Field[]
    askedAt: number
    outcome?: "accept" | "decline" | "cancel"
  }
  'PUT /api/v2/mcp/inputs/{name}': {
    kept: "keychain" | "file"
  }
  'POST /v1/chat/completions': {
    id: string
    object: "chat.completion"
    created: number
    model: string
    choices: {
      index: number
      message: {
        role: "assistant"
        content: string | null
        refusal: null
        tool_calls?: {
          id: string
          type: "function"
          function: {
            name: string
            arguments: string
          }
        }[]
      }
      finish_reason: "stop" | "length" | "content_filter" | "tool_calls"
      logprobs: null
    }[]
    usage: {
      prompt_tokens: number
      completion_tokens: number
      total_tokens: number
      prompt_tokens_details: {
        cached_tokens: number
      }
      completion_tokens_details: {
        reasoning_tokens: number
      }
    }
  }
  'POST /v1/responses': ResponsesAnswer
  'GET /v1/responses/{id}': ResponsesAnswer
  'DELETE /v1/responses/{id}': {
    id: string
    object: "response"
    deleted: true
  }
  'GET /v1/models': {
    object: string
    data: {
      id: string
      object: string
      created: number
      owned_by: string
    }[]
  }
}
