import fs from 'node:fs'
import zlib from 'node:zlib'
import { type Json, list, object, objects, parsed, string, words } from '../json.ts'
import {
  documentIn,
  GLANCE_BYTES,
  GLANCE_ROWS,
  kindName,
  kinds,
  lineRecords,
  type Seen,
  type Survey,
  withDatabase,
} from './survey.ts'

/** The sources of few kinds of records. */

export const aider: Survey = {
  used: kinds('start request remark answer'),
  ignored: kinds(''),
  *records({ path: file }, glance) {
    const bytes = fs.readFileSync(file)
    const lines = (glance ? bytes.subarray(-GLANCE_BYTES) : bytes).toString('utf8').split('\n')
    // Aider's own lines end in two spaces, unless an editor cut them off.
    const isMarked = lines.some((line) => line.startsWith('#### ') && line.endsWith('  '))
    let before = ''
    let last = ''
    let isRunning = false
    for (const line of lines) {
      if (line.startsWith('# aider chat started at')) {
        isRunning = true
        yield { kind: 'start' }
      } else if (!isRunning) continue
      else if (line.startsWith('####') && before.trim() === '') {
        const isOwn = isMarked ? line.endsWith('  ') : /^(>|# aider)/.test(last)
        yield { kind: 'request', turns: isOwn && isAsked(line.slice(4).trim()) ? 1 : 0 }
      } else if (line.startsWith('>')) yield { kind: 'remark' }
      else if (line.trim() !== '') yield { kind: 'answer' }
      before = line
      if (line.trim() !== '') last = line
    }
  },
}

function isAsked(said: string): boolean {
  if (said === '' || said === '<blank>' || said.includes('(Y)es/(N)o')) return false
  return !/^[!/]/.test(said) || /^\/(ask|architect|code|context|help)\s+\S/.test(said)
}

export const continueDev: Survey = {
  used: kinds('user assistant tool thinking part/text part/imageUrl'),
  ignored: kinds('system'),
  *records({ path: file }, glance) {
    for (const { message } of objects(object(documentIn(file, glance))?.history))
      yield* spoken(object(message) ?? {})
  },
}

export const lmStudio: Survey = {
  used: kinds(`
    user assistant part/text part/file part/image part/toolCallRequest part/toolCallResult
    step/contentBlock step/status version/singleStep version/multiStep
  `),
  ignored: kinds('system step/debugInfoBlock step/toolStatus'),
  *records({ path: file }, glance) {
    for (const { versions } of objects(object(documentIn(file, glance))?.messages))
      for (const version of objects(versions)) {
        yield* spoken(version)
        for (const step of objects(version.steps)) {
          yield { kind: kindName('step', step.type) }
          for (const { type } of objects(step.content)) yield { kind: kindName('part', type) }
        }
      }
  },
}

export const recollectAgent: Survey = {
  used: kinds('session request answer piece result notice end'),
  ignored: kinds('approval decision'),
  *records({ path: file }, glance) {
    for (const { type } of lineRecords(file, glance))
      yield { kind: kindName(type), turns: type === 'request' ? 1 : 0 }
  },
}

export const chatwise: Survey = {
  used: kinds('user assistant tool meta/toolCall meta/toolResult meta/parts'),
  ignored: kinds('system'),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare('SELECT role, content, meta FROM message ORDER BY rowid DESC LIMIT ?')
      for (const row of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        yield { kind: kindName(row.role), turns: row.role === 'user' ? 1 : 0 }
        for (const name of Object.keys(object(parsed(row.meta)) ?? {})) yield { kind: kindName('meta', name) }
      }
    })
  },
}

export const zed: Survey = {
  used: kinds(`
    User Agent part/Text part/Mention part/Image part/Thinking part/ToolUse
    user assistant segment/text segment/thinking
  `),
  ignored: kinds('Resume Compaction system part/RedactedThinking segment/redacted_thinking'),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare('SELECT data, data_type AS type, id FROM threads ORDER BY rowid DESC LIMIT ?')
      for (const row of rows.iterate(glance ? 10 : -1)) {
        const thread = threadIn(row)
        const isChild = object(thread?.subagent_context) !== undefined
        for (const entry of list(thread?.messages)) yield* zedEntry(entry, !isChild)
      }
    })
  },
}

function threadIn({ data, type }: Json): Json | undefined {
  const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data as Uint8Array)
  try {
    return object(JSON.parse((type === 'zstd' ? zlib.zstdDecompressSync(bytes) : bytes).toString('utf8')))
  } catch {
    return undefined
  }
}

function* zedEntry(entry: unknown, counts: boolean): Generator<Seen> {
  const record = object(entry)
  const tag = typeof entry === 'string' ? entry : Object.keys(record ?? {})[0]
  const content = objects(object(record?.[tag ?? ''])?.content)
  if (tag === 'User' || tag === 'Agent' || typeof entry === 'string') {
    const said = content.some((part) => words(part.Text) ?? part.Mention)
    yield { kind: kindName(tag), turns: counts && tag === 'User' && said ? 1 : 0 }
    for (const part of content) yield { kind: kindName('part', Object.keys(part)[0]) }
  } else if (record) {
    const role = string(record.role)?.toLowerCase()
    const segments = objects(record.segments)
    const said = words(record.text) ?? segments.some((part) => part.type === 'text' && words(part.text))
    const isTyped =
      role === 'user' && said && record.is_hidden !== true && objects(record.tool_results).length === 0
    yield { kind: kindName(role ?? tag), turns: counts && isTyped ? 1 : 0 }
    for (const { type } of segments) yield { kind: kindName('segment', type) }
  }
}

/** A message with a role and content of text or parts. */
function* spoken({ role, content }: Json): Generator<Seen> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
  const said = parts.some((part) => part.type === 'text' && words(part.text))
  yield { kind: kindName(role), turns: role === 'user' && said ? 1 : 0 }
  for (const { type } of parts) yield { kind: kindName('part', type) }
}
