import crypto from 'node:crypto'
import type { Message } from '../../model/chat.ts'
import { millis } from '../json.ts'
import type { Found } from '../source.ts'
import { csvRows } from './csv.ts'
import { importOfText } from './import.ts'
import { labelled } from './labels.ts'

const HEADER = /^"?conversation"?\s*,\s*"?time"?\s*,\s*"?author"?\s*,\s*"?message"?\s*$/im

/** What Microsoft Copilot on the web exports: a table with a row for each message, the newest first. */
export const microsoftCopilot = importOfText(
  {
    ...labelled('microsoft-copilot'),
    looksFor: "Microsoft Copilot's activity history (copilot-activity-history.csv)",
  },
  {
    fits: (head) => HEADER.test(head.split('\n', 1)[0]!.trim()),
    read: readHistory,
  },
)

interface Row {
  at?: number
  isPerson: boolean
  text: string
}

/** Rows name only a title: chats of the same title are one. */
function* readHistory(text: string): Generator<Found> {
  const chats = new Map<string, Row[]>()
  let number = 0
  for (const row of csvRows(text)) {
    if (number++ === 0 || row.length === 1) continue
    const [title = '', time, author = '', words] = row
    if (words === undefined) {
      yield { problem: { reason: `row ${number} has no message` } }
      continue
    }
    const rows = chats.get(title) ?? []
    chats.set(title, rows)
    rows.push({ at: timeOf(time), isPerson: /^(human|user|you)$/i.test(author.trim()), text: words })
  }
  for (const [title, rows] of chats) yield* foundChat(title, rows)
}

function* foundChat(title: string, rows: Row[]): Generator<Found> {
  const id = crypto.createHash('sha256').update(title).digest('hex').slice(0, 16)
  const times = rows.flatMap(({ at }) => at ?? [])
  const [first, last] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), 0),
  ]
  yield {
    chat: {
      source: 'microsoft-copilot',
      id,
      ...(title.trim() && { title: title.trim().slice(0, 500) }),
      ...(times.length > 0 && { createdAt: first, updatedAt: last }),
      format: 'export',
    },
  }
  // The newest come first; of those at the same time the person spoke before the answer.
  const inOrder = rows
    .toReversed()
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || Number(b.isPerson) - Number(a.isPerson))
  const same = new Map<string, number>()
  for (const [place, { at, isPerson, text }] of inOrder.entries()) {
    if (text.trim() === '') continue
    const moment = `${at ?? 'unknown'}-${isPerson ? 'human' : 'ai'}`
    const count = same.get(moment) ?? 0
    same.set(moment, count + 1)
    const about = { id: `${moment}-${count}`, text, ...(at !== undefined && { createdAt: at }) }
    const order = at === undefined ? place : at + (isPerson ? 0 : 0.5) + Math.min(count, 400) / 1024
    const message: Message = isPerson
      ? { ...about, order, role: 'user', kind: 'request' }
      : { ...about, order, role: 'assistant', kind: 'answer' }
    yield { chatId: id, message }
  }
}

/** Times have no zone; they are those of the world's clock. */
function timeOf(text: string | undefined): number | undefined {
  const time = text?.trim() ?? ''
  return millis(
    /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(time) ? `${time.replace(' ', 'T')}Z` : time,
  )
}
