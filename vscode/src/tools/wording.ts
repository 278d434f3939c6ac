import * as vscode from 'vscode'
import type { Input } from './tool.ts'

interface Wording {
  /** What is shown while the tool works. */
  doing: string
  /** What is asked before it writes; nothing where it would only read. */
  asks?: { title: string; message: string }
}

/** What a person reads when a model calls a tool. */
export function prepared(capability: string, input: Input): vscode.PreparedToolInvocation {
  const { doing, asks }: Wording = WORDINGS[capability]?.(input) ?? { doing: `Recollect: ${capability}` }
  return {
    invocationMessage: doing,
    ...(asks && {
      confirmationMessages: { title: asks.title, message: new vscode.MarkdownString(asks.message) },
    }),
  }
}

const WORDINGS: Record<string, (input: Input) => Wording> = {
  get_first_request: () => ({ doing: 'Recalling how the dialog began' }),
  get_request: ({ index }) => ({ doing: `Recalling request ${short(index)}` }),
  list_requests: () => ({ doing: 'Listing what was asked' }),
  search_conversations: ({ query, intent_query }) => ({
    doing: `Searching past dialogs for ${quoted(query ?? intent_query)}`,
  }),
  gather_chats: ({ chatIds }) => ({ doing: `Reading ${several(chatIds, 'dialog')}` }),
  list_chats: () => ({ doing: 'Listing dialogs' }),
  resolve_ids: () => ({ doing: 'Looking up ids' }),
  collect_evidence: () => ({ doing: 'Collecting links, files and commands from dialogs' }),
  usage_metrics: () => ({ doing: 'Adding up what was used' }),
  export_chats: ({ chatIds, query, format, path, force }) => ({
    doing: `Exporting ${chatIds ? several(chatIds, 'dialog') : `dialogs about ${quoted(query)}`} as ${short(format)}`,
    ...(path !== undefined && {
      asks: {
        title: 'Export dialogs to a file?',
        message: `Writes ${chatIds ? several(chatIds, 'dialog') : 'the dialogs found'} to ${code(path)}${force ? ', over a file that may be there' : ''}.`,
      },
    }),
  }),
  read_context: () => ({ doing: 'Reading context.md' }),
  append_context: ({ title, content, workspace }) => ({
    doing: 'Adding to context.md',
    asks: {
      title: 'Add to context.md?',
      message: `Adds an entry${inFolder(workspace)}:\n\n${block([title, content].filter(Boolean).map(String).join('\n\n'))}`,
    },
  }),
  init_context: ({ workspace }) => ({
    doing: 'Starting context.md',
    asks: { title: 'Start context.md?', message: `Makes the file${inFolder(workspace)}.` },
  }),
  export_conversation: ({ sessionId, workspace, format }) => ({
    doing: 'Handing over a dialog through context.md',
    asks: {
      title: 'Write a dialog into context.md?',
      message: `Writes ${format === 'full' ? 'the whole of' : 'a summary of'} ${sessionId === 'current' ? 'this dialog' : code(sessionId)} into context.md${inFolder(workspace)}.`,
    },
  }),
  get_context_summary: () => ({ doing: 'Looking at context.md' }),
  get_resume_command: () => ({ doing: 'Looking up how to resume' }),
  export_to_memory: ({ apply, target, workspace }) => ({
    doing: apply === true ? 'Writing instructions' : 'Comparing context.md with instructions',
    ...(apply === true && {
      asks: {
        title: "Write into an assistant's instructions?",
        message: `Puts the last entries of context.md into ${target === undefined ? 'the instructions' : code(target)}${inFolder(workspace)}.`,
      },
    }),
  }),
  import_from_memory: ({ apply, from, workspace }) => ({
    doing: apply === true ? 'Adding instructions to context.md' : 'Comparing instructions with context.md',
    ...(apply === true && {
      asks: {
        title: 'Add to context.md?',
        message: `Adds what ${from === undefined ? 'the instructions' : code(from)} say${inFolder(workspace)}.`,
      },
    }),
  }),
  archive_context: ({ keepSessions, workspace }) => ({
    doing: 'Shortening context.md',
    asks: {
      title: 'Shorten context.md?',
      message: `Moves all but the newest ${short(keepSessions ?? 20)} entries to context.archive.md${inFolder(workspace)}.`,
    },
  }),
}

const LONGEST = 80

/** Given by a model: on one line, not too long. */
function short(value: unknown): string {
  const text = (Array.isArray(value) ? value.join(', ') : String(value ?? '')).replace(/\s+/g, ' ').trim()
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

function quoted(value: unknown): string {
  return value === undefined ? 'something' : `“${short(value)}”`
}

function code(value: unknown): string {
  return `\`${short(value).replaceAll('`', "'")}\``
}

/** A fence longer than any inside of the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}markdown\n${text.slice(0, 2_000)}\n${fence}`
}

function inFolder(workspace: unknown): string {
  return workspace === undefined ? ' of this workspace' : ` in ${code(workspace)}`
}

function several(chatIds: unknown, what: string): string {
  const count = Array.isArray(chatIds) ? chatIds.length : 1
  return count === 1 ? `a ${what}` : `${count} ${what}s`
}
