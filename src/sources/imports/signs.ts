import path from 'node:path'
import { type Json, list, object, objects, string, words } from '../json.ts'
import type { Look } from './look.ts'

/**
 * Whose session file it is, told by what is in it, and where its assistant would keep it. The reading
 * is done by the assistant's own source.
 */
export interface Sign {
  /** Of the source. */
  id: string
  fits(look: Look): boolean
  /** Whether the file may be read where it lies, when its path is one that the source knows. */
  mayStay?(look: Look): boolean
  place(look: Look): Place
}

/** Where a file that lies anywhere is to be seen by its source. */
export interface Place {
  /** Its path below a root of the source. */
  file: string
  /** Which of the source's roots. */
  label?: string
  /** The folder it lies in, where it needs no other place. */
  root?: string
  /** What is put at `at`: the file itself, unless the folder around it belongs to it. */
  folder?: string
  at?: string
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const signs: Sign[] = [
  {
    id: 'claude-code',
    fits: ({ lines }) =>
      lines.some((line) => {
        const isTurn = line.type === 'user' || line.type === 'assistant'
        return (
          isTurn &&
          'parentUuid' in line &&
          string(line.sessionId) &&
          list(object(line.message)?.parts).length === 0
        )
      }) ||
      lines.some(
        ({ type, leafUuid, summary }) => type === 'summary' && leafUuid && typeof summary === 'string',
      ),
    // A session is called by the name of its file.
    mayStay: ({ name }) => UUID.test(stem(name)) || name.startsWith('agent-'),
    place: ({ name, lines }) => {
      const id = words(lines.find(({ sessionId }) => words(sessionId))?.sessionId)
      const isNamed = UUID.test(stem(name)) || name.startsWith('agent-') || !id
      return { file: `imported/${isNamed ? stem(name) : safe(id)}.jsonl` }
    },
  },
  {
    id: 'codex',
    fits: ({ lines, document, name, head }) =>
      lines.some(
        ({ type, payload }) =>
          object(payload) && /^(session_meta|response_item|event_msg|turn_context)$/.test(String(type)),
      ) ||
      (lines[0] !== undefined && UUID.test(String(lines[0].id)) && 'instructions' in lines[0]) ||
      (object(object(document)?.session) !== undefined && Array.isArray(object(document)?.items)) ||
      (/^rollout-.+\.jsonl\.zst$/.test(name) && !/^\s*[{[]/.test(head)),
    place: ({ file, name, lines }) => {
      // Rollouts of one thread belong together.
      if (/^rollout-.+\.(jsonl|jsonl\.zst|json)$/.test(name) && name === path.basename(file))
        return { file: `sessions/${name}`, folder: path.dirname(file), at: 'sessions' }
      if (/^rollout-.+\.(jsonl|jsonl\.zst|json)$/.test(name)) return { file: `sessions/${name}` }
      const meta = lines.find(({ type }) => type === 'session_meta')
      const id = words(object(meta?.payload)?.id) ?? words(lines[0]?.id)
      const kind = lines.length > 1 ? 'jsonl' : 'json'
      return { file: `sessions/rollout-imported-${safe(id ?? stem(name))}.${kind}` }
    },
  },
  {
    id: 'vscode',
    fits: ({ lines }) => {
      const session = lines[0]?.kind === 0 ? object(lines[0].v) : undefined
      if (session) return Array.isArray(session.requests) || 'responderUsername' in session
      // A log that lacks its first entry.
      return (
        lines.length > 0 &&
        lines.every(({ kind, k }) => typeof kind === 'number' && typeof list(k)[0] === 'string')
      )
    },
    place: ({ name, lines }) => {
      const id = words(object(lines[0]?.v)?.sessionId) ?? stem(name)
      return { file: `workspaceStorage/imported/chatSessions/${safe(id)}.jsonl` }
    },
  },
  {
    id: 'vscode',
    fits: ({ lines, file }) =>
      isStart(lines, (data) => 'vscodeVersion' in data) ||
      (/[\\/]transcripts[\\/]/.test(file) && isStart(lines)),
    place: ({ lines, name }) => {
      const id = words(object(lines[0]?.data)?.sessionId) ?? stem(name)
      return { file: `workspaceStorage/imported/GitHub.copilot-chat/transcripts/${safe(id)}.jsonl` }
    },
  },
  {
    id: 'vscode',
    fits: ({ document }) =>
      Array.isArray(object(document)?.requests) && words(object(document)?.sessionId) !== undefined,
    place: ({ document }) => ({
      file: `workspaceStorage/imported/chatSessions/${safe(String(object(document)!.sessionId))}.json`,
    }),
  },
  {
    id: 'vscode',
    fits: ({ hasKey }) => hasKey('interactive.sessions'),
    place: () => ({ file: 'workspaceStorage/imported/state.vscdb' }),
  },
  {
    id: 'copilot-cli',
    fits: ({ lines }) => isStart(lines),
    place: ({ file, name, lines }) => {
      const id = safe(words(object(lines[0]?.data)?.sessionId) ?? stem(name))
      const at = `session-state/${id}`
      const isWhole = name === 'events.jsonl' && path.basename(path.dirname(file)) === id
      return { file: `${at}/events.jsonl`, ...(isWhole && { folder: path.dirname(file), at }) }
    },
  },
  {
    id: 'copilot-cli',
    fits: ({ document }) =>
      Array.isArray(object(document)?.chatMessages) && Array.isArray(object(document)?.timeline),
    place: ({ document }) => ({
      file: `history-session-state/session_${safe(String(object(document)?.sessionId))}_0.json`,
    }),
  },
  {
    id: 'gemini-cli',
    fits: ({ lines, document }) =>
      [lines[0], object(document)].some((first) => words(first?.sessionId) && words(first?.projectHash)),
    place: ({ name, lines }) => {
      const kind = lines.length > 1 || name.endsWith('.jsonl') ? 'jsonl' : 'json'
      return { file: `tmp/imported/chats/session-${safe(stem(name).replace(/^session-/, ''))}.${kind}` }
    },
  },
  {
    id: 'goose',
    fits: ({ lines }) =>
      words(lines[0]?.working_dir) !== undefined &&
      lines.slice(1).every(({ role, content }) => role && Array.isArray(content)),
    place: ({ name }) => ({ file: `${safe(stem(name))}.jsonl` }),
  },
  {
    id: 'goose',
    fits: ({ columns }) => columns('messages').includes('content_json'),
    place: () => ({ file: 'sessions.db' }),
  },
  {
    id: 'opencode',
    // Kilo keeps the same tables, and is another assistant.
    fits: ({ columns, name }) =>
      !/^kilo/i.test(name) &&
      columns('part').includes('message_id') &&
      columns('session').includes('time_updated'),
    place: () => ({ file: 'opencode.db' }),
  },
  {
    id: 'opencode',
    fits: ({ document, file }) => isStored(object(document), file),
    place: ({ file }) => {
      const storage = path.resolve(file, '../../..')
      return {
        file: `storage/${path.relative(storage, file).replaceAll(path.sep, '/')}`,
        folder: storage,
        at: 'storage',
      }
    },
  },
  {
    id: 'cursor',
    fits: ({ hasKey }) => hasKey('composerData:'),
    place: () => ({ file: 'globalStorage/state.vscdb' }),
  },
  {
    id: 'cursor',
    fits: ({ hasKey }) => hasKey('workbench.panel.aichat.view.aichat.chatdata'),
    place: () => ({ file: 'workspaceStorage/imported/state.vscdb' }),
  },
  {
    id: 'cursor',
    fits: ({ lines }) =>
      lines.length > 0 &&
      lines.some(({ role, message }) => (role === 'user' || role === 'assistant') && object(message)) &&
      lines.every((line) => !('type' in line && 'uuid' in line) && !('created' in line)),
    place: ({ name }) => ({
      file: `imported/agent-transcripts/${safe(stem(name))}.jsonl`,
      label: 'agent transcripts',
    }),
  },
  clineTask('roo-code', isRoos),
  clineTask('cline', () => true),
  {
    id: 'cline',
    fits: ({ name, document }) =>
      name.endsWith('.messages.json') && Array.isArray(object(document)?.messages),
    place: ({ file, name }) => {
      const session = path.basename(path.dirname(file))
      return {
        file: `sessions/${session}/${name}`,
        label: 'CLI',
        folder: path.dirname(file),
        at: `sessions/${session}`,
      }
    },
  },
  {
    id: 'continue',
    fits: ({ document }) =>
      words(object(document)?.sessionId) !== undefined && Array.isArray(object(document)?.history),
    place: ({ name }) => ({ file: `${safe(stem(name))}.json` }),
  },
  {
    id: 'lm-studio',
    fits: ({ document }) => {
      const messages = objects(object(document)?.messages)
      return messages.length > 0 && messages.every(({ versions }) => Array.isArray(versions))
    },
    place: ({ name }) => ({ file: `${safe(stem(name).replace(/\.conversation$/, ''))}.conversation.json` }),
  },
  {
    id: 'aider',
    fits: ({ head }) => /^# aider chat started at \d{4}-/m.test(head),
    // Aider's chats are called by the path of their file, so it stays where it is.
    place: ({ file }) => {
      const name = path.basename(file)
      return { root: path.dirname(file), file: name, label: `AIDER_CHAT_HISTORY_FILE=${name}` }
    },
  },
  {
    id: 'chatwise',
    fits: ({ columns }) => columns('chat').includes('lastReplyAt') && columns('message').includes('chatId'),
    place: () => ({ file: 'app.db' }),
  },
  {
    id: 'zed',
    fits: ({ columns }) =>
      ['id', 'updated_at', 'data_type', 'data'].every((name) => columns('threads').includes(name)),
    place: () => ({ file: 'threads.db' }),
  },
  {
    id: 'recollect-agent',
    fits: ({ lines, name }) =>
      lines[0]?.type === 'session' && words(lines[0].version) !== undefined && UUID.test(stem(name)),
    place: ({ name }) => ({ file: name }),
  },
]

/** Cline and Roo Code: a folder for each task, told by either of its two files. */
function clineTask(id: string, isOwn: (look: Look) => boolean): Sign {
  return {
    id,
    fits: (look) => {
      const entries = objects(look.document)
      if (entries.length === 0 || !Array.isArray(look.document) || !isOwn(look)) return false
      if (/^(ui_messages|claude_messages)\.json$/.test(look.name))
        return entries.some(({ say, ask }) => say ?? ask)
      return look.name === 'api_conversation_history.json' && entries.every(({ role }) => words(role))
    },
    place: ({ file, name }) => {
      const task = path.basename(path.dirname(file))
      return { file: `tasks/${task}/${name}`, folder: path.dirname(file), at: `tasks/${task}` }
    },
  }
}

/** Roo Code calls tasks by a UUID, Cline by their time. */
function isRoos({ file }: Look): boolean {
  return /roo-cline|roo-code/i.test(file) || UUID.test(path.basename(path.dirname(file)))
}

function isStart(lines: Json[], also: (data: Json) => boolean = () => true): boolean {
  const data = lines[0]?.type === 'session.start' ? object(lines[0].data) : undefined
  return data !== undefined && words(data.sessionId) !== undefined && also(data)
}

/** A session or a message of opencode before its database. */
function isStored(document: Json | undefined, file: string): boolean {
  const kind = path.basename(path.resolve(file, '../..'))
  if (kind === 'session') return /^ses_/.test(String(document?.id)) && object(document?.time) !== undefined
  return (
    kind === 'message' && /^ses_/.test(String(document?.sessionID)) && words(document?.role) !== undefined
  )
}

function stem(name: string): string {
  return name.replace(/\.(jsonl|json|zst|txt|db)$/i, '').replace(/\.jsonl$/, '')
}

/** A name that cannot lead anywhere else. */
function safe(name: string): string {
  return (
    name
      .replace(/[^\w.@-]/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 200) || 'unnamed'
  )
}
