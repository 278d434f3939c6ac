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

const AT_ONCE = 500
const MOST_WORDS = 200

/**
 * Where words are in a chat: letter for letter but for upper and lower case, or as a search takes them. Looks through
 * all of the chat, some messages at a time; those that have the words are cleaned and looked at again, so
 * that nobody can guess at a secret letter by letter.
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
      if (foundIn(seek, message).length === 0) continue
      const inside = foundIn(seek, clean(message, said))
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

function foundIn(seek: Seek, message: LiveMessage): string[] {
  return [...textsIn([message.text, message.thinking, message.toolCalls, message.toolResults])].flatMap(seek)
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
