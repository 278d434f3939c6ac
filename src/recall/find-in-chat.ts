import type { Clean } from '../model/clean.ts'
import { seekerOf, type Taken } from '../search/seeker.ts'
import type { Asker, LiveMessage } from './live.ts'
import { readable } from './reader.ts'

export type FindAs = 'letters' | 'search'

export interface FoundInChat {
  /** The messages that hold the words, and how often. */
  hits: { index: number; count: number }[]
  /** What was found, as it is written in the chat, in small letters: what is to be marked. */
  words: string[]
}

type Seek = (text: string) => string[]
/** What is looked through of a message: not the pictures attached to it. */
type Shown = Pick<LiveMessage, 'text' | 'thinking' | 'toolCalls' | 'toolResults'>

const AT_ONCE = 500
const MOST_WORDS = 200

/**
 * Where words are in a chat: letter for letter but for upper and lower case, or as a search takes them. Looks through
 * all of the chat, some messages at a time, each without its secrets, whether it has the words with them or not: nobody
 * can guess at one letter by letter. Cost: 15 µs for each kilobyte of the chat.
 */
export async function findInChat(
  asker: Asker,
  reference: string,
  words: string,
  clean: Clean,
  as: FindAs = 'letters',
  taken: Taken = {},
): Promise<FoundInChat> {
  const { header, said, messages } = await readable(asker, reference)
  const seek = as === 'search' ? await seekerOf(asker.archive, words, clean, taken) : lettersOf(words)
  const found: FoundInChat = { hits: [], words: [] }
  const written = new Set<string>()
  for (let from = 0; from < header.messageCount; from += AT_ONCE) {
    for (const message of await messages(from, from + AT_ONCE - 1)) {
      const { text, thinking, toolCalls, toolResults } = message
      const inside = foundIn(seek, clean({ text, thinking, toolCalls, toolResults }, said))
      if (inside.length > 0) found.hits.push({ index: message.index, count: inside.length })
      for (const each of inside) if (written.size < MOST_WORDS) written.add(each.toLowerCase())
    }
  }
  return { ...found, words: [...written] }
}

function lettersOf(words: string): Seek {
  const sought = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
  return (text) => text.match(sought) ?? []
}

function foundIn(seek: Seek, { text, thinking, toolCalls, toolResults }: Shown): string[] {
  return [...textsIn([text, thinking, toolCalls, toolResults])].flatMap(seek)
}

/** What is shown of tools is words and values, not our names for them. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (name !== 'id' && name !== 'callId') yield* textsIn(each)
    }
  }
}
