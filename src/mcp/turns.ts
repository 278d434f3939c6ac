import type { ArchivedChat } from '../archive/archive.ts'
import type { LiveChat } from '../recall/live.ts'
import { cutAt } from '../recall/preview.ts'
import { chatUri } from '../server/uris.ts'
import { quoted } from '../service/quote.ts'

/** What a reader of a resource is given at most; `gather_chats` gives the rest. */
const MOST_CHARS = 400_000

export interface Turn {
  userMessage: string
  response: string
}

export interface ChatTurns {
  id: string
  title: string
  date: string
  requests: Turn[]
  /** Turns at the end that are left out, and how to get them. */
  leftOut?: { requests: number; hint: string }
}

/** A chat as requests and what came of them. */
export function chatTurns({ chat, messages }: LiveChat): ChatTurns {
  const turns: Turn[] = []
  let room = MOST_CHARS
  let leftOut = 0
  for (const message of messages) {
    if (message.undone) continue
    if (message.kind === 'request') {
      if (room <= 0) leftOut++
      else turns.push({ userMessage: cutAt(message.text, room), response: '' })
    } else if (message.kind === 'answer' && message.text.trim() !== '') {
      const turn = turns.at(-1)
      if (leftOut > 0 || !turn || room <= 0) continue
      turn.response = cutAt(turn.response ? `${turn.response}\n\n${message.text}` : message.text, room)
    }
    if (message.kind === 'request' || message.kind === 'answer') room -= message.text.length
  }
  return {
    id: chat.id,
    title: chat.title,
    date: dayOf(chat),
    requests: turns,
    ...(leftOut > 0 && {
      leftOut: { requests: leftOut, hint: `gather_chats with chatIds ["${chat.id}"] gives all of it.` },
    }),
  }
}

/** The same to read. */
export function chatMarkdown(live: LiveChat): string {
  const { title, date, requests, leftOut } = chatTurns(live)
  const { source, workspace, id } = live.chat
  const told = requests.map(
    ({ userMessage, response }, i) =>
      `## Request ${i + 1}\n\n${userMessage}\n\n### Answer\n\n${response || '(none)'}`,
  )
  const facts = [date, source, workspace, chatUri(id)].filter(Boolean).join(' · ')
  const rest = leftOut ? `\n\n${leftOut.requests} more requests: ${leftOut.hint}` : ''
  return `${quoted(`chat ${id}`, `# ${title}\n\n${facts}\n\n${told.join('\n\n')}`)}${rest}\n`
}

/** `YYYY-MM-DD` where the user is. */
export function dayOf({ updatedAt, createdAt }: Pick<ArchivedChat, 'updatedAt' | 'createdAt'>): string {
  const at = updatedAt ?? createdAt
  return at === undefined ? '' : new Date(at).toLocaleDateString('sv-SE')
}
