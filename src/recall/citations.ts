import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import type { Asker, LiveMessage } from './live.ts'
import { type Readable, readable } from './reader.ts'

/** A place in a past chat that an answer names: `context://sessions/<chat>#m<index of the message>`. */
export interface ChatCitation {
  /** As it is written. */
  uri: string
  /** Where in the text it is. */
  from: number
  to: number
  /** Whether the chat and the message exist, and the words quoted before it are in that message. */
  verified: boolean
  /** Why not. */
  problem?: string
  chatId?: string
  source?: string
  title?: string
  date?: string
  /** Whose chat it is, where it is not the person's own. */
  author?: string
  /** Of the message; missing where the chat as a whole is meant. */
  index?: number
}

interface Written extends Pick<ChatCitation, 'uri' | 'from' | 'to'> {
  chat: string
  index?: number
  /** What is quoted between the citation before, or the beginning of the line, and this one. */
  quotes: string[]
}

const URI = /context:\/\/sessions\/([\w:@%-][\w.:@%-]*?)(?:\.md)?(?:#m?(\d{1,9}))?(?![.:]*[\w#@%-])/g
const QUOTE = /"([^"\n]{4,})"|“([^”\n]{4,})”|„([^“”\n]{4,})[“”]|«([^»\n]{4,})»|「([^」\n]{2,})」/g
const MOST = 100
/** Of a longer chat, so many messages are looked through for words that are quoted without their place. */
const LOOKED_THROUGH = 2_000
const PAGE = 200

/** Looks up every citation of a text. */
export async function checkedCitations(asker: Asker, text: string, clean: Clean): Promise<ChatCitation[]> {
  const chats = new Map<string, Promise<Readable | string>>()
  const opened = (chat: string) => {
    const known = chats.get(chat) ?? readable(asker, chat).catch(problemOf)
    chats.set(chat, known)
    return known
  }
  const checked: ChatCitation[] = []
  for (const written of citationsIn(text).slice(0, MOST)) {
    const { uri, from, to } = written
    const chat = await opened(written.chat)
    if (typeof chat === 'string') checked.push({ uri, from, to, verified: false, problem: chat })
    else checked.push({ uri, from, to, ...(await checkedIn(chat, written, clean)) })
  }
  return checked
}

function citationsIn(text: string): Written[] {
  let before = 0
  return Array.from(text.matchAll(URI), ({ 0: uri, 1: chat = '', 2: index, index: from }) => {
    const line = Math.max(before, text.lastIndexOf('\n', from) + 1)
    const quotes = Array.from(
      text.slice(line, from).matchAll(QUOTE),
      (match) => match.slice(1).find(Boolean) ?? '',
    )
    before = from + uri.length
    return { uri, chat, from, to: before, quotes, ...(index !== undefined && { index: Number(index) }) }
  })
}

async function checkedIn(
  chat: Readable,
  { index, quotes }: Written,
  clean: Clean,
): Promise<Omit<ChatCitation, 'uri' | 'from' | 'to'>> {
  const { id: chatId, source, title, updatedAt, origin } = clean(chat.header, chat.said)
  const about = {
    chatId,
    source,
    title,
    ...(updatedAt !== undefined && { date: new Date(updatedAt).toLocaleDateString('sv') }),
    ...(origin && { author: origin.author }),
  }
  const says = (message: LiveMessage) => quotes.every((quote) => isSaidIn(clean(message, chat.said), quote))
  if (index === undefined) {
    if (quotes.length === 0) return { ...about, verified: true }
    const found = await firstMessage(chat, says)
    return found === undefined
      ? { ...about, verified: false, problem: 'The chat does not say so in these words.' }
      : { ...about, verified: true, index: found }
  }
  const [message] = await chat.messages(index, index)
  if (!message) return { ...about, verified: false, problem: `The chat has no message ${index}.` }
  if (says(message)) return { ...about, verified: true, index }
  return { ...about, verified: false, problem: `Message ${index} does not say so in these words.` }
}

async function firstMessage(
  { header, messages }: Readable,
  says: (message: LiveMessage) => boolean,
): Promise<number | undefined> {
  const last = Math.min(header.messageCount, LOOKED_THROUGH)
  for (let from = 0; from < last; from += PAGE) {
    const found = (await messages(from, from + PAGE - 1)).find(says)
    if (found) return found.index
  }
  return undefined
}

/** Letters count, not how they are set; what is left out is marked by an ellipsis. */
function isSaidIn({ text, toolResults = [] }: LiveMessage, quote: string): boolean {
  const said = plain([text, ...toolResults.map((result) => result.text ?? '')].join('\n'))
  let at = 0
  return quote.split(/…|\.{3}|\[…\]/).every((part) => {
    const words = plain(part)
    const found = said.indexOf(words, at)
    at = found + words.length
    return found >= 0
  })
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[*_`>#]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!?]+|[\s.,;:!?]+$/g, '')
}

function problemOf(error: unknown): string {
  if (error instanceof RecollectError && error.code === 'AMBIGUOUS_ID') return 'Several chats begin so.'
  if (error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND') return 'There is no such chat.'
  throw error
}
