import type { MessageKind } from '../model/chat.ts'
import type { Held } from '../model/tool-text.ts'
import type { Bytes, Doubles, Ints, Uints } from '../platform/loops/memory.ts'
import type { Postings } from '../platform/loops/table.ts'
import type { ArchivedChat, ArchivedMessage, ChatFilter } from './chat-shapes.ts'

export { KINDS, ROLES } from '../model/chat.ts'

/** Which part of a message: what was said, thought, or what tools were asked and answered. */
type Field = 'said' | 'thought' | 'tools'

export type WordField = Field | 'title'

/** What a search sees of the archive. */
export interface SearchView {
  documents: Documents
  /** Where a term stands. The answer is overwritten by the next call. */
  postings(field: WordField, term: string): Postings
  /** Terms that begin so, the commonest first, with about how many messages have them. */
  termsFrom(field: WordField, prefix: string, most: number): { term: string; messages: number }[]
  /** Keys of the chats that a filter lets through. */
  chatKeys(filter: ChatFilter): Iterable<number>
  chat(key: number): ArchivedChat
  /** What these chats can be narrowed by. */
  chatFacts(keys: Iterable<number>): ChatFacts[]
  message(key: number): ArchivedMessage
  /** A message without what tools were asked and answered, which may be long. */
  saidIn(key: number): SaidMessage
  /** What was said in a message. */
  text(key: number): string
  /** The same for several, to compare them, not to show them: whether they are what was written is not looked at. */
  texts(keys: readonly number[]): Map<number, string>
  /** What the index holds of messages in a field, likewise; for titles, of chats. */
  fieldTexts(field: WordField, keys: readonly number[]): Map<number, string>
  /** All that is searched of a chat in these fields. */
  heldIn(chat: number, fields: WordField[]): Iterable<Held>
  /** In how many messages a term stands, about. */
  messagesWith(field: WordField, term: string): number
  /** The messages whose vectors are the most like this one, of those that pass. Looks at every vector. */
  nearest(model: string, vector: ArrayLike<number>, passes: (key: number) => boolean, most: number): Nearest
}

export interface ChatFacts {
  key: number
  source: string
  workspace?: string
  models: string[]
  updatedAt?: number
}

export interface Nearest {
  /** The most like it first; 1 is equal, 0 has nothing in common. */
  messages: { key: number; likeness: number }[]
  /** Over all messages that have one, whether they pass or not. */
  average: number
  deviation: number
}

/** What was said in a message, and the mark by which a change of it is noticed. */
export interface MessageText {
  key: number
  hash: number
  text: string
}

export type SaidMessage = Pick<ArchivedMessage, 'id' | 'index' | 'role' | 'kind' | 'createdAt' | 'text'>

/** What is known of every indexed message without reading it, by its key; `chatWords` and `title` by the chat's. */
export interface Documents {
  /** Keys are below these. */
  end: number
  endOfChats: number
  chat: Ints
  /** Place in ROLES times 16 plus place in KINDS. */
  label: Bytes
  /** Seconds since 1970; 0 where it is not known. */
  at: Uints
  /** Codes of lengths in words: `lengthOf` says how many. */
  said: Bytes
  thought: Bytes
  tools: Bytes
  title: Bytes
  lengthOf(code: number): number
  /** The messages of the same chat before and after it in which something was said: `beforeOf` and `afterOf` tell them. */
  before: Beside
  after: Beside
  /** Words said in a chat. */
  chatWords: Doubles
  /** Seconds since 1970 of its newest message. */
  chatAt: Uints
  /** How many messages have something in a field, and how many words that is. */
  messages: Record<WordField, number>
  words: Record<WordField, number>
  /** How many chats have something said in them. */
  chats: number
}

/** How many keys away another message is, by a message's key: 0 where there is none, FAR where `far` has its key. */
export interface Beside {
  steps: Bytes
  far: Map<number, number>
}

export const FAR = 255

/** The key of the message before it; 0 for none. */
export function beforeOf({ before: { steps, far } }: Pick<Documents, 'before'>, key: number): number {
  const step = steps[key]!
  return step === 0 ? 0 : step < FAR ? key - step : far.get(key)!
}

/** The key of the message after it; 0 for none. */
export function afterOf({ after: { steps, far } }: Pick<Documents, 'after'>, key: number): number {
  const step = steps[key]!
  return step === 0 ? 0 : step < FAR ? key + step : far.get(key)!
}

/** Messages of these kinds are found by search. */
export const SEARCHABLE: ReadonlySet<MessageKind> = new Set<MessageKind>([
  'request',
  'answer',
  'tool',
  'delegated',
  'summary',
  'command',
  'notice',
])
