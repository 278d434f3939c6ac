import fs from 'node:fs'
import { replay } from '../../src/sources/vscode/replay.ts'
import { isExportedChat } from '../../src/sources/vscode/session.ts'

/** What "Import Chat…" reads: less than a session is, and not the id that it had. */
export interface ImportableChat {
  responderUsername: string
  initialLocation: string
  requests: unknown[]
}

const MOST_BYTES = 256 * 1024 * 1024

/**
 * A session file of VS Code, flat or a log, as what "Import Chat…" takes; nothing for any other file.
 * Read as it is, pictures and all: it goes back to where it came from.
 */
export function importable(file: string): ImportableChat | undefined {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined || size > MOST_BYTES) return undefined
  const text = fs.readFileSync(file, 'utf8')
  const session = file.endsWith('.jsonl') ? replay(text.split('\n').flatMap(parsed)) : parsed(text)[0]
  const { responderUsername = '', requests } = session && typeof session === 'object' ? fieldsOf(session) : {}
  const chat = { responderUsername, initialLocation: 'panel', requests }
  return isExportedChat(chat) && Array.isArray(requests) && requests.length > 0
    ? { ...chat, responderUsername: String(responderUsername), requests: requests.map(withParts) }
    : undefined
}

/** VS Code shows the parts of a request; where only its text was kept, the text is the one part. */
function withParts(request: unknown): unknown {
  const message: unknown = request && typeof request === 'object' && Reflect.get(request, 'message')
  const text: unknown = message && typeof message === 'object' ? Reflect.get(message, 'text') : message
  if (typeof text !== 'string' || (message && typeof message === 'object' && 'parts' in message))
    return request
  const length = text.length
  const range = { start: 0, endExclusive: length }
  const editorRange = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: length + 1 }
  return { ...Object(request), message: { text, parts: [{ kind: 'text', text, range, editorRange }] } }
}

function fieldsOf(session: object): { responderUsername?: unknown; requests?: unknown } {
  return session
}

/** Nothing of what is not JSON: the last line may be half written. */
function parsed(text: string): unknown[] {
  try {
    return text.trim() === '' ? [] : [JSON.parse(text)]
  } catch {
    return []
  }
}
