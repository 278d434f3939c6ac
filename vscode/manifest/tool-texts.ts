/**
 * What the manifest says about each tool, in the order of the sections. Every model is sent all of it with every
 * request: the whole list stays under 12,000 characters (docs/decisions/0013-one-set-of-tools.md).
 */
export interface ToolText {
  /** `$(codicon)`. */
  icon: string
  /** For the person who picks tools. */
  user: string
  /** What it gives, for a model that has to choose. */
  what: string
  useWhen: string
  returns: string
  /** Inputs, the simplest first. */
  examples: Record<string, unknown>[]
  /** Parameters that the schema names; the others are taken all the same. */
  shows: string[]
}

const ID = '3fa9c2d1'

export const TOOL_TEXTS: Record<string, ToolText> = {
  get_first_request: {
    icon: '$(comment)',
    user: 'How this chat, or another one, began',
    what: 'How a chat began; by default this one.',
    useWhen: 'its beginning is no longer in your history',
    returns: '`firstRequest` (80 characters), `requestsCount`; or `error`.',
    examples: [{}, { sessionId: ID }],
    shows: ['sessionId'],
  },
  get_request: {
    icon: '$(quote)',
    user: 'One of your requests, verbatim',
    what: "The user's exact words in a chat, by number.",
    useWhen: 'you see a request only in part or as a summary, or the user means "my second question"',
    returns: '`request` in full, `totalRequests`; or `error`.',
    examples: [{ index: 1 }, { index: 3, sessionId: ID }],
    shows: ['index', 'sessionId'],
  },
  list_requests: {
    icon: '$(list-ordered)',
    user: 'All your requests in a chat, numbered',
    what: 'All requests of a chat, numbered.',
    useWhen: 'you must go through every request',
    returns: '`requests: [{ index, preview }]`; or `error`.',
    examples: [{}, { sessionId: ID, from: 21 }],
    shows: ['sessionId', 'from', 'limit'],
  },
  search_conversations: {
    icon: '$(search)',
    user: 'Search all your past chats with any assistant',
    what: 'Searches every past chat with any AI assistant on this machine.',
    useWhen: 'the user refers to earlier work, or before you say that something is not known',
    returns:
      '`confidence`, chats with snippets, and `guidance.nextActions`: call one unchanged if the answer is not there.',
    examples: [{ query: 'connection pool' }, { query: 'pool', time_window: '30d', source: 'codex' }],
    shows: [
      'query',
      'time_window',
      'precision_mode',
      'expand',
      'match',
      'role_filter',
      'exclude_terms',
      'source',
      'workspace',
      'limit',
      'cursor',
      'response_mode',
      'state',
    ],
  },
  gather_chats: {
    icon: '$(references)',
    user: 'Read one chat, or merge several and see what they share',
    what: 'Reads a chat, or several merged in time order.',
    useWhen: 'a search gave you ids and you need what was said',
    returns: '`messages`, or `narrative` of several; `leftOut.cursor` for the rest.',
    examples: [{ chatIds: ['current'] }, { chatIds: [ID, 'b0f81901'], includeTools: false }],
    shows: ['chatIds', 'from', 'to', 'roles', 'includeTools', 'cursor', 'max_chars'],
  },
  list_chats: {
    icon: '$(list-unordered)',
    user: 'List chats, newest first',
    what: 'Past chats, newest first.',
    useWhen: 'the user asks which chats there are, or you know a title or a time',
    returns: '`chats: [{ chatId, title, source, date }]`, `nextCursor`.',
    examples: [{}, { source: 'claude-code', time_window: '7d' }],
    shows: ['source', 'workspace', 'time_window', 'title', 'limit', 'cursor'],
  },
  resolve_ids: {
    icon: '$(key)',
    user: 'Find chats and messages by the start of their id',
    what: 'Whole ids for their first characters.',
    useWhen: 'an id prefix was ambiguous',
    returns: '`chats`, `messages`, `ambiguous`.',
    examples: [{ chatIdPrefix: '3fa9' }],
    shows: ['chatIdPrefix', 'messageIdPrefix'],
  },
  collect_evidence: {
    icon: '$(link)',
    user: 'Links, files, commands and code mentioned in chats',
    what: 'Links, files, commands and code in chats.',
    useWhen: 'you need what was run, edited or read, or a claim needs proof',
    returns: 'items, each with chat, message and time.',
    examples: [{ chatIds: ['current'] }, { query: 'release', kinds: ['command'] }],
    shows: ['chatIds', 'query', 'kinds', 'cursor'],
  },
  usage_metrics: {
    icon: '$(graph)',
    user: 'Messages, tokens, cost and speed',
    what: 'Messages, tokens, cost and speed.',
    useWhen: 'the user asks how much was used or what it cost',
    returns: 'totals, and sums by group.',
    examples: [{}, { group_by: 'model', time_window: '30d' }],
    shows: ['time_window', 'group_by'],
  },
  export_chats: {
    icon: '$(export)',
    user: 'Export chats as Markdown, JSON, HTML or fine-tuning data',
    what: 'Chats as a file or text.',
    useWhen: 'the user wants a copy of chats, or data for a program',
    returns: '`path`, or `text` without a path.',
    examples: [{ chatIds: ['current'], format: 'markdown' }],
    shows: ['chatIds', 'query', 'format', 'path'],
  },
  read_context: {
    icon: '$(book)',
    user: "Read the workspace's context.md",
    what: "The workspace's context.md.",
    useWhen: 'you start work and want what others handed over',
    returns: '`content`, `metadata`.',
    examples: [{}, { lastSessions: 3 }],
    shows: ['workspace', 'lastSessions'],
  },
  append_context: {
    icon: '$(add)',
    user: 'Add an entry to context.md',
    what: 'Adds an entry to context.md.',
    useWhen: 'work ends: note what was done, decided and is open',
    returns: '`timestamp`, `path`.',
    examples: [{ title: 'Pool', content: 'We keep 20.' }],
    shows: ['content', 'title', 'workspace'],
  },
  init_context: {
    icon: '$(new-file)',
    user: 'Create context.md',
    what: 'Creates context.md.',
    useWhen: 'there is none yet and work is to be handed over',
    returns: '`path`.',
    examples: [{}, { projectName: 'Shop' }],
    shows: ['workspace', 'projectName'],
  },
  export_conversation: {
    icon: '$(repo-push)',
    user: 'Write a chat to context.md',
    what: 'Writes a chat to context.md.',
    useWhen: 'a whole chat is to be handed over',
    returns: '`exported`, `path`.',
    examples: [{ sessionId: 'current' }],
    shows: ['sessionId', 'workspace', 'format'],
  },
  get_context_summary: {
    icon: '$(eye)',
    user: 'Summary of context.md',
    what: 'Summary of context.md.',
    useWhen: 'you want to know whether there is one, and its last entries',
    returns: '`exists`, `stats`, `recentSessions`.',
    examples: [{}],
    shows: ['workspace'],
  },
  get_resume_command: {
    icon: '$(debug-continue)',
    user: 'The command that resumes a chat',
    what: 'The command that resumes a chat.',
    useWhen: 'the user wants to continue in a terminal',
    returns: '`command`, `sessionId`.',
    examples: [{}, { sessionId: ID }],
    shows: ['sessionId', 'workspace'],
  },
  export_to_memory: {
    icon: '$(arrow-up)',
    user: 'Copy context.md to an assistant’s instructions',
    what: "Copies context.md to an assistant's instructions.",
    useWhen: 'an assistant should read it at every start',
    returns: '`diff`; written only with `apply: true`.',
    examples: [{}, { target: 'agents-md', apply: true }],
    shows: ['target', 'apply', 'workspace'],
  },
  import_from_memory: {
    icon: '$(arrow-down)',
    user: 'Copy an assistant’s instructions to context.md',
    what: "Copies an assistant's instructions to context.md.",
    useWhen: 'other assistants should know them',
    returns: '`diff`; written only with `apply: true`.',
    examples: [{}, { from: 'claude-md', apply: true }],
    shows: ['from', 'apply', 'workspace'],
  },
  archive_context: {
    icon: '$(archive)',
    user: 'Move old entries out of context.md',
    what: 'Moves old entries of context.md to context.archive.md.',
    useWhen: 'it is too long',
    returns: 'how many were moved and remain.',
    examples: [{}, { keepSessions: 5 }],
    shows: ['keepSessions', 'workspace'],
  },
}
