import type { Archive, ArchivedChat, ArchivedMessage } from '../archive/archive.ts'
import type { Message } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import { cutAt, preview } from './preview.ts'

/** A chat as a reader opens it: all that is shown before the first message is. */
export interface OpenedChat {
  chat: Omit<ArchivedChat, 'key' | 'subagent' | 'parentId' | 'forkOf'> & {
    /** The files that told of it. */
    filePaths: string[]
  }
  relatives: {
    parent?: Relative
    original?: Relative
    subagents: Relative[]
    forks: Relative[]
  }
  requests: { n: number; index: number; preview: string; createdAt?: number }[]
  /** About how long each message is, by its index. */
  sizes: number[]
}

export type Relative = Pick<ArchivedChat, 'id' | 'source' | 'title' | 'messageCount'>

/** A message as it is read: the texts of a long one are cut, and `cut` says so. */
export type ReadMessage = Omit<Message, 'order'> & { index: number; copy?: boolean; cut?: true }

/** What must not leave is taken out by `clean`. */
export type Clean = <T>(value: T) => T

export const MOST_MESSAGES = 200
export const MOST_TEXT = 60_000
const PREVIEW = 160

/** Cost: one row of the chat's, its requests, and the length of each message, 1 ms for 10,000 of them. */
export async function openedChat(archive: Archive, reference: string, clean: Clean): Promise<OpenedChat> {
  const found = await archive.resolveChat(reference)
  const { key, subagent, parentId, forkOf, ...chat } = found
  const { parent, original, subagents, forks } = await archive.relatives(found)
  const units = await archive.unitsOf(found)
  const { requests, sizes } = await archive.outline(found)
  return {
    chat: { ...chat, title: clean({ title: chat.title }).title, filePaths: units.map(({ path }) => path) },
    relatives: {
      ...(parent && { parent: relative(parent, clean) }),
      ...(original && { original: relative(original, clean) }),
      subagents: subagents.map((each) => relative(each, clean)),
      forks: forks.map((each) => relative(each, clean)),
    },
    requests: requests.map(({ index, createdAt, beginning }, i) => ({
      n: i + 1,
      index,
      preview: preview(clean(beginning), PREVIEW),
      ...(createdAt !== undefined && { createdAt }),
    })),
    sizes,
  }
}

/** Messages `from` to `to`, both counted, as far as one page goes. Cost: these messages, whatever the chat has. */
export async function readMessages(
  archive: Archive,
  reference: string,
  { from, to }: { from: number; to: number },
  clean: Clean,
): Promise<{ messages: ReadMessage[]; total: number }> {
  const chat = await archive.resolveChat(reference)
  const last = Math.min(to, from + MOST_MESSAGES - 1)
  const messages = await archive.messages(chat, { from, to: last })
  return {
    messages: messages.map((message) => shortened(clean(told(message)))),
    total: chat.messageCount,
  }
}

/** One message with all that is in it. */
export async function readMessage(
  archive: Archive,
  reference: string,
  index: number,
  clean: Clean,
): Promise<ReadMessage> {
  const chat = await archive.resolveChat(reference)
  const [message] = await archive.messages(chat, { from: index, to: index })
  if (message) return clean(told(message))
  throw new RecollectError(
    'MESSAGE_NOT_FOUND',
    `There is no message ${index} in ${chat.source}:${chat.id}.`,
    `It has ${chat.messageCount}, counted from 0.`,
  )
}

const AT_ONCE = 500

/**
 * Where words stand in a chat, letter for letter but for upper and lower case. Looks through all of
 * the chat, some messages at a time; those that have the words are cleaned and looked at again, so
 * that nobody can guess at a secret letter by letter.
 */
export async function findInChat(
  archive: Archive,
  reference: string,
  words: string,
  clean: Clean,
): Promise<{ hits: { index: number; count: number }[] }> {
  const chat = await archive.resolveChat(reference)
  const sought = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
  const hits: { index: number; count: number }[] = []
  for (let from = 0; from < chat.messageCount; from += AT_ONCE) {
    for (const message of await archive.messages(chat, { from, to: from + AT_ONCE - 1 })) {
      if (occurrences(sought, message) === 0) continue
      const count = occurrences(sought, clean(message))
      if (count > 0) hits.push({ index: message.index, count })
    }
  }
  return { hits }
}

function occurrences(sought: RegExp, message: ArchivedMessage): number {
  let count = 0
  for (const text of textsIn([message.text, message.thinking, message.toolCalls, message.toolResults]))
    count += text.match(sought)?.length ?? 0
  return count
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

function told({ key, order, ...message }: ArchivedMessage): ReadMessage {
  return message
}

/** Every text of it cut to what a page can show. */
function shortened(message: ReadMessage): ReadMessage {
  const cut = { any: false }
  const short = shortTexts(message, cut)
  return cut.any ? { ...short, cut: true } : message
}

function shortTexts<T>(value: T, cut: { any: boolean }): T
function shortTexts(value: unknown, cut: { any: boolean }): unknown {
  if (typeof value === 'string') {
    if (value.length <= MOST_TEXT) return value
    cut.any = true
    return cutAt(value, MOST_TEXT)
  }
  if (Array.isArray(value)) return value.map((each) => shortTexts(each, cut))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortTexts(each, cut)]))
}

function relative({ id, source, title, messageCount }: ArchivedChat, clean: Clean): Relative {
  return clean({ id, source, title, messageCount })
}
