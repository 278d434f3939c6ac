import * as vscode from 'vscode'
import { count, t } from '../words.ts'
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
  get_first_request: () => ({ doing: t('Recalling how the chat began') }),
  get_request: ({ index }) => ({ doing: t('Recalling request {0}', short(index)) }),
  list_requests: () => ({ doing: t('Listing what was asked') }),
  search_conversations: ({ query, intent_query }) => ({
    doing: t('Searching past chats for {0}', quoted(query ?? intent_query)),
  }),
  gather_chats: ({ chatIds }) => ({ doing: t('Reading {0}', several(chatIds)) }),
  list_chats: () => ({ doing: t('Listing chats') }),
  resolve_ids: () => ({ doing: t('Looking up ids') }),
  collect_evidence: () => ({ doing: t('Collecting links, files and commands from chats') }),
  usage_metrics: () => ({ doing: t('Computing usage') }),
  export_chats: ({ chatIds, query, format, path, force }) => ({
    doing: t(
      'Exporting {0} as {1}',
      chatIds ? several(chatIds) : t('chats about {0}', quoted(query)),
      short(format),
    ),
    ...(path !== undefined && {
      asks: {
        title: t('Export chats to a file?'),
        message: [
          t('Writes {0} to {1}.', chatIds ? several(chatIds) : t('the chats found'), code(path)),
          force ? t('An existing file is overwritten.') : '',
        ]
          .filter(Boolean)
          .join(' '),
      },
    }),
  }),
  read_context: () => ({ doing: t('Reading context.md') }),
  append_context: ({ title, content, workspace }) => ({
    doing: t('Adding to context.md'),
    asks: {
      title: t('Add to context.md?'),
      message: `${t('Adds an entry {0}:', inFolder(workspace))}\n\n${block([title, content].filter(Boolean).map(String).join('\n\n'))}`,
    },
  }),
  init_context: ({ workspace }) => ({
    doing: t('Creating context.md'),
    asks: { title: t('Create context.md?'), message: t('Creates the file {0}.', inFolder(workspace)) },
  }),
  export_conversation: ({ sessionId, workspace, format }) => ({
    doing: t('Handing over a chat in context.md'),
    asks: {
      title: t('Write a chat to context.md?'),
      message: t(
        format === 'full'
          ? 'Writes all of {0} to context.md {1}.'
          : 'Writes a summary of {0} to context.md {1}.',
        sessionId === 'current' ? t('this chat') : code(sessionId),
        inFolder(workspace),
      ),
    },
  }),
  get_context_summary: () => ({ doing: t('Summarizing context.md') }),
  get_resume_command: () => ({ doing: t('Looking up how to resume') }),
  export_to_memory: ({ apply, target, workspace }) => ({
    doing: apply === true ? t('Writing instructions') : t('Comparing context.md with instructions'),
    ...(apply === true && {
      asks: {
        title: t('Write to an assistant’s instructions?'),
        message: t(
          'Copies the latest entries of context.md to {0} {1}.',
          target === undefined ? t('the instructions') : code(target),
          inFolder(workspace),
        ),
      },
    }),
  }),
  import_from_memory: ({ apply, from, workspace }) => ({
    doing:
      apply === true ? t('Adding instructions to context.md') : t('Comparing instructions with context.md'),
    ...(apply === true && {
      asks: {
        title: t('Add to context.md?'),
        message: t(
          'Adds the content of {0} {1}.',
          from === undefined ? t('the instructions') : code(from),
          inFolder(workspace),
        ),
      },
    }),
  }),
  archive_context: ({ keepSessions, workspace }) => ({
    doing: t('Shortening context.md'),
    asks: {
      title: t('Shorten context.md?'),
      message: t(
        'Moves all but the newest {0} entries to context.archive.md {1}.',
        short(keepSessions ?? 20),
        inFolder(workspace),
      ),
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
  return value === undefined ? t('something') : `“${short(value)}”`
}

function code(value: unknown): string {
  return `\`${short(value).replaceAll('`', "'")}\``
}

const LONGEST_BLOCK = 2_000

/** A fence longer than any inside of the text. How many characters are not shown is said: they are written all the same. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const left = text.length - LONGEST_BLOCK
  const more = left > 0 ? `\n… ${t('and {0} more', left)}` : ''
  return `${fence}markdown\n${text.slice(0, LONGEST_BLOCK)}\n${fence}${more}`
}

function inFolder(workspace: unknown): string {
  return workspace === undefined ? t('of this workspace') : t('in {0}', code(workspace))
}

function several(chatIds: unknown): string {
  return count(Array.isArray(chatIds) ? chatIds.length : 1, 'chat')
}
