import crypto from 'node:crypto'
import type { Message } from '../../model/chat.ts'
import { oldResult, typedText } from '../cline/wrappers.ts'
import { words } from '../json.ts'
import type { Found } from '../source.ts'
import { importOfText } from './import.ts'
import { type Turn, turnsOf } from './markdown-turns.ts'

const CURSOR_TURN = /^\*\*(User|Cursor)\*\*\s*$/
const CLINE_TURN = /^\*\*(User|Assistant):\*\*\s*$/

/** A chat that was exported from Cursor as Markdown. */
export const cursorExport = importOfText(
  { id: 'cursor', name: 'Cursor', looksFor: 'a chat exported from Cursor as Markdown' },
  {
    fits: (head) => /^_Exported on .{4,80} from Cursor/m.test(head.slice(0, 1000)),
    *read(text) {
      const title = /^# (.+)$/m.exec(text.slice(0, 1000))?.[1]?.trim().slice(0, 500)
      const turns = turnsOf(text, CURSOR_TURN)
      yield* foundChat('cursor', title, turns, (turn, about) =>
        turn.heading[1] === 'User'
          ? { ...about, role: 'user', kind: 'request', text: turn.body }
          : { ...about, role: 'assistant', kind: 'answer', text: turn.body },
      )
    },
  },
)

/** A task that was exported from Cline, or from one of those that came of it. */
export const clineExport = importOfText(
  { id: 'cline', name: 'Cline', looksFor: 'a task exported from Cline or Roo Code as Markdown' },
  {
    fits: (head) => /^\ufeff?\s*\*\*User:\*\*\s*\n/.test(head) && /<task>|<environment_details>/.test(head),
    *read(text) {
      yield* foundChat('cline', undefined, turnsOf(text, CLINE_TURN), taskMessage)
    },
  },
)

type Place = Pick<Message, 'id' | 'order'>

function* foundChat(
  source: string,
  title: string | undefined,
  turns: Turn[],
  messageOf: (turn: Turn, about: Place) => Message,
): Generator<Found> {
  const messages = turns.flatMap((turn, order) =>
    turn.body ? [messageOf(turn, { id: String(order), order })] : [],
  )
  if (messages.length === 0) {
    yield { problem: { reason: 'an export in which nothing is said' } }
    return
  }
  // It does not say which chat it was; the same one exported again is told by how it begins.
  const begun = crypto
    .createHash('sha256')
    .update(`${title ?? ''}\n${turns[0]!.body}`)
    .digest('hex')
  const id = `export-${begun.slice(0, 16)}`
  yield { chat: { source, id, ...(title && { title }), format: 'Markdown export' } }
  for (const message of messages) yield { chatId: id, message }
}

function taskMessage({ heading, body }: Turn, about: Place): Message {
  if (heading[1] === 'Assistant') return { ...about, role: 'assistant', kind: 'answer', text: body }
  const result = oldResult(body)?.text ?? /^\[Tool(?: \(Error\))?\]\n([\s\S]*)$/.exec(body)?.[1]
  if (result !== undefined)
    return { ...about, role: 'tool', kind: 'tool', text: '', toolResults: [{ callId: '', text: result }] }
  const typed = words(typedText(body))
  return typed
    ? { ...about, role: 'user', kind: 'request', text: typed }
    : { ...about, role: 'user', kind: 'injected', text: body }
}
