import type { ArchivedChat } from '../archive/archive.ts'
import { dayOf } from '../model/day.ts'
import type { LiveChat } from '../recall/live.ts'
import { originOf, saidBy } from '../recall/origin.ts'
import { cutAt } from '../recall/preview.ts'
import { quoted } from '../service/quote.ts'

interface Turn {
  userMessage: string
  response: string
}

export interface ChatTurns {
  id: string
  title: string
  date: string
  requests: Turn[]
  /** The number of the first request here, where it is not the chat's first. */
  from?: number
  /** Requests after these, and how to get them. */
  leftOut?: { requests: number; next: string; hint: string }
}

/** What a page of a chat may have, and the request that it begins with, from 1. */
export interface Page {
  room: number
  /** Where the chat is read. */
  uri: string
  from: number
}

/** What stands around the turns: the label, the title, how to go on. */
const FRAME = 900
const LEAST_TEXT = 500

/** A page of a chat, as requests and what came of them. */
export function chatTurns({ chat, messages }: LiveChat, { room, uri, from }: Page): ChatTurns {
  const turns = turnsOf(messages)
  const first = Math.min(Math.max(1, from), Math.max(1, turns.length))
  const shown: Turn[] = []
  let left = room - FRAME
  for (const turn of turns.slice(first - 1)) {
    const size = JSON.stringify(turn).length + TURN_FRAME
    if (size > left && shown.length > 0) break
    shown.push(size > left ? cutTurn(turn, left) : turn)
    left -= size
  }
  const next = first + shown.length
  return {
    id: chat.id,
    title: cutAt(chat.title, LEAST_TEXT),
    date: lastDayOf(chat),
    ...(first > 1 && { from: first }),
    requests: shown,
    ...(next <= turns.length && {
      leftOut: {
        requests: turns.length - next + 1,
        next: `${uri}?from=${next}`,
        hint: 'Read `next` for more, or call gather_chats.',
      },
    }),
  }
}

/** Headings around a turn where it is written as Markdown. */
const TURN_FRAME = 50

function turnsOf(messages: LiveChat['messages']): Turn[] {
  const turns: Turn[] = []
  for (const { kind, text, undone } of messages) {
    if (undone) continue
    const turn = turns.at(-1)
    if (kind === 'request') turns.push({ userMessage: text, response: '' })
    else if (kind === 'answer' && text.trim() !== '' && turn)
      turn.response = turn.response ? `${turn.response}\n\n${text}` : text
  }
  return turns
}

/** A turn that is too long for a page of its own: the beginnings of both. */
function cutTurn({ userMessage, response }: Turn, room: number): Turn {
  let most = Math.max(LEAST_TEXT, room)
  for (;;) {
    const asked = cutAt(userMessage, Math.floor(most / 2))
    const turn = { userMessage: asked, response: cutAt(response, most - asked.length) }
    const over = JSON.stringify(turn).length + TURN_FRAME + CUT.length * 2 - room
    if (over > 0 && most > LEAST_TEXT) {
      most = Math.max(LEAST_TEXT, most - over)
      continue
    }
    return {
      userMessage: marked(turn.userMessage, userMessage),
      response: marked(turn.response, response),
    }
  }
}

const CUT = '… [cut: gather_chats gives all of it]'

function marked(text: string, whole: string): string {
  return text.length < whole.length ? `${text}${CUT}` : text
}

/** The same to read. */
export function chatMarkdown(live: LiveChat, page: Page): string {
  const { title, date, requests, leftOut, from = 1 } = chatTurns(live, page)
  const { source, workspace, id } = live.chat
  const told = requests.map(
    ({ userMessage, response }, i) =>
      `## Request ${from + i}\n\n${userMessage}\n\n### Answer\n\n${response || '(none)'}`,
  )
  const by = saidBy(originOf(live.chat))
  const facts = [date, source, workspace, by, page.uri].filter(Boolean).join(' · ')
  const next = leftOut?.next.replace('?', '.md?')
  const rest = leftOut ? `\n\n${leftOut.requests} more requests: read ${next}, or call gather_chats.` : ''
  return `${quoted(by ? `chat ${id} of ${by}` : `chat ${id}`, `# ${title}\n\n${facts}\n\n${told.join('\n\n')}`)}${rest}\n`
}

/** `YYYY-MM-DD` where the user is. */
export function lastDayOf({ updatedAt, createdAt }: Pick<ArchivedChat, 'updatedAt' | 'createdAt'>): string {
  return dayOf(updatedAt ?? createdAt)
}
