/** What the manifest says about each tool beyond the capability's own description, in the order of the sections. */
export interface ToolText {
  /** `$(codicon)`. */
  icon: string
  /** For the person who picks tools. */
  user: string
  useWhen: string[]
  returns: string
  /** Without parameters and with: what is asked, and the input that answers it. */
  examples: [asked: string, input: Record<string, unknown>][]
}

export const TOOL_TEXTS: Record<string, ToolText> = {
  get_first_request: {
    icon: '$(comment)',
    user: 'How this dialog, or another one, began',
    useWhen: [
      'the beginning of the dialog is no longer in your history and you need to know what it was about',
      'you want to check that what you do still serves what was asked first',
    ],
    returns:
      '`{ success: true, sessionId, firstRequest, timestamp, requestsCount }`; `firstRequest` is a preview of at most 80 characters. Where that is not possible: `{ success: false, error }`.',
    examples: [
      ['How did this dialog begin?', {}],
      ['How did another dialog begin?', { sessionId: '3fa9c2d1' }],
    ],
  },
  get_request: {
    icon: '$(quote)',
    user: 'One of your requests, word for word',
    useWhen: [
      'you need the exact words of a request that you see only in part, or as a summary',
      'the user refers to "my second question" or "what I asked at the start"',
    ],
    returns:
      '`{ success: true, sessionId, request, index, timestamp, totalRequests }`. Where that is not possible: `{ success: false, error }`.',
    examples: [
      ['The first request of this dialog in full', { index: 1 }],
      ['The third request of another dialog', { index: 3, sessionId: '3fa9c2d1' }],
    ],
  },
  list_requests: {
    icon: '$(list-ordered)',
    user: 'All your requests in a dialog, numbered',
    useWhen: [
      'you have to go through everything that was asked, for instance to see what is still open',
      'you look for the number of a request to read it in full',
    ],
    returns:
      '`{ success: true, sessionId, totalRequests, requests: [{ index, preview, timestamp }] }`. Where that is not possible: `{ success: false, error }`.',
    examples: [
      ['What has been asked in this dialog?', {}],
      ['Requests 21 to 40 of another dialog', { sessionId: '3fa9c2d1', from: 21, limit: 20 }],
    ],
  },
  search_conversations: {
    icon: '$(search)',
    user: 'Search all your past chats with any assistant',
    useWhen: [
      'the user refers to something that was discussed, decided or tried before',
      'you are about to say that something is not known, or to solve what may have been solved already',
    ],
    returns:
      '`{ status, confidence, totalFound, topChatIds, results: [{ chatId, title, source, date, snippets }], guidance }`; each entry of `guidance.nextActions` can be called as it stands.',
    examples: [
      ['What did we say about the connection pool?', { query: 'connection pool' }],
      [
        'The same in this month, forgiving typos',
        { query: 'conection pool', time_window: '30d', precision_mode: 'fuzzy' },
      ],
    ],
  },
  gather_chats: {
    icon: '$(references)',
    user: 'Read one chat, or several merged with what they share',
    useWhen: [
      'a search has given you chat ids and you need what was really said',
      'several chats are about the same thing and you want to see what they agree on and where they differ',
    ],
    returns:
      'One chat: `{ chat, messages }`. Several: `{ meta, narrative, commonAlignment, differences }`. `leftOut.cursor` goes on where the answer ended.',
    examples: [
      ['Read this very dialog', { chatIds: ['current'] }],
      ['Compare two chats, without tool output', { chatIds: ['3fa9c2d1', 'b0f81901'], includeTools: false }],
    ],
  },
  list_chats: {
    icon: '$(list-unordered)',
    user: 'List chats, newest first',
    useWhen: [
      'the user asks which chats there are, or for the last ones about a project',
      'you need the id of a chat and know its title, assistant or time',
    ],
    returns:
      '`{ chats: [{ chatId, title, source, workspace, date, updatedAt, messageCount, requestCount }], nextCursor }`.',
    examples: [
      ['Which chats were there last?', {}],
      ['Chats with Claude Code this week', { source: 'claude-code', time_window: '7d' }],
    ],
  },
  resolve_ids: {
    icon: '$(key)',
    user: 'Find chats and messages by the beginning of their id',
    useWhen: ['someone gives you the first characters of an id', 'an id was said to be ambiguous'],
    returns: '`{ chats: [{ chatId, title, source }], messages: [{ messageId, chatId, index }], ambiguous }`.',
    examples: [
      ['Which chat begins with 3fa9?', { chatIdPrefix: '3fa9' }],
      ['Which message is meant?', { messageIdPrefix: 'request_3fa9', limit: 5 }],
    ],
  },
  collect_evidence: {
    icon: '$(link)',
    user: 'Links, files, commands and code that chats mention',
    useWhen: [
      'you need the commands that were run, the files that were edited or the pages that were read',
      'a claim from a past chat has to be backed up by what it was based on',
    ],
    returns:
      'Citations, links, attachments, files, commands and code blocks, each with chat, message and time.',
    examples: [
      ['What does this dialog show?', { chatIds: ['current'] }],
      ['Which commands did we run for the release?', { query: 'release', kinds: ['command'] }],
    ],
  },
  usage_metrics: {
    icon: '$(graph)',
    user: 'Messages, tokens, cost and speed',
    useWhen: ['the user asks how much was used, what it cost or how long answers took'],
    returns:
      'Messages, tokens in, out and cached, estimated cost, latency p50 and p95, tool calls and failures; in total and by group.',
    examples: [
      ['What was used in all?', {}],
      ['Tokens by model in this month', { group_by: 'model', time_window: '30d' }],
    ],
  },
  export_chats: {
    icon: '$(export)',
    user: 'Chats as Markdown, JSON, HTML or fine-tuning data',
    useWhen: ['the user wants chats as a file, or in a form that another program reads'],
    returns: '`{ format, chats, messages, path, bytes }`, or `text` where no path was given.',
    examples: [
      ['This dialog as Markdown text', { chatIds: ['current'], format: 'markdown' }],
      [
        'Chats about the release into a file',
        { query: 'release', format: 'html', path: 'release-chats.html' },
      ],
    ],
  },
  read_context: {
    icon: '$(book)',
    user: "Read the workspace's context.md",
    useWhen: ['you begin work in a workspace and want to know what others handed over'],
    returns: '`{ content, metadata: { path, size, lastModified, sessionCount, truncated } }`.',
    examples: [
      ['What was handed over here?', {}],
      ['The last three entries only', { lastSessions: 3 }],
    ],
  },
  append_context: {
    icon: '$(add)',
    user: 'Add an entry to context.md',
    useWhen: [
      'work is done or interrupted, and whoever goes on should know what was done, decided and is open',
    ],
    returns: '`{ success, timestamp, path }`.',
    examples: [
      ['Note what was decided', { content: 'We keep the pool at 20 connections.' }],
      ['The same with a title', { title: 'Pool size', content: 'We keep the pool at 20 connections.' }],
    ],
  },
  init_context: {
    icon: '$(new-file)',
    user: 'Start a context.md',
    useWhen: ['a workspace has no context.md yet and something is to be handed over'],
    returns: '`{ success, path, template }`.',
    examples: [
      ['Start one here', {}],
      ['Start one with a name', { projectName: 'Shop', projectDescription: 'The web shop.' }],
    ],
  },
  export_conversation: {
    icon: '$(repo-push)',
    user: 'Write a chat into context.md',
    useWhen: ['a whole chat should be handed over to another agent or person through context.md'],
    returns: '`{ success, exported: { title, messageCount, timestamp }, entry, path }`.',
    examples: [
      ['Hand over this dialog', { sessionId: 'current' }],
      ['Another one, in full', { sessionId: '3fa9c2d1', format: 'full' }],
    ],
  },
  get_context_summary: {
    icon: '$(eye)',
    user: 'context.md at a glance',
    useWhen: ['you want to know whether there is a context.md, how long it is and what its last entries are'],
    returns: '`{ path, exists, stats, lastModified, recentSessions }`.',
    examples: [
      ['Is there something handed over?', {}],
      ['In another folder', { workspace: '/home/alex/shop' }],
    ],
  },
  get_resume_command: {
    icon: '$(debug-continue)',
    user: 'The command that goes on with a chat',
    useWhen: ['the user wants to go on with a chat of a command-line assistant'],
    returns: '`{ success, command, sessionId, source, updatedAt }`.',
    examples: [
      ['How do I go on with the last one here?', {}],
      ['How do I go on with this one?', { sessionId: '3fa9c2d1' }],
    ],
  },
  export_to_memory: {
    icon: '$(arrow-up)',
    user: 'Put context.md into the instructions of an assistant',
    useWhen: ['what stands in context.md should be read by an assistant at every start'],
    returns: '`{ success, target, path, diff, applied }`; nothing is written unless `apply` is true.',
    examples: [
      ['Show what would change', {}],
      ['Write it into AGENTS.md', { target: 'agents-md', apply: true }],
    ],
  },
  import_from_memory: {
    icon: '$(arrow-down)',
    user: 'Take the instructions of an assistant into context.md',
    useWhen: ["an assistant's instructions or memory hold what others should know too"],
    returns: 'What was read, and the diff; nothing is written unless `apply` is true.',
    examples: [
      ['Show what would be added', {}],
      ['Take it from CLAUDE.md', { from: 'claude-md', apply: true }],
    ],
  },
  archive_context: {
    icon: '$(archive)',
    user: 'Move old entries of context.md aside',
    useWhen: ['context.md has become too long to be read at a start'],
    returns: 'How many entries were moved to context.archive.md and how many are left.',
    examples: [
      ['Keep the newest 20 entries', {}],
      ['Keep fewer', { keepSessions: 5 }],
    ],
  },
}
