import type { ArchivedChat, ChatOutline } from '../archive/archive.ts'
import type { Attachment, Message, ToolResult } from '../model/chat.ts'
import type { Clean, SaidIn } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { focusOf } from '../model/focus.ts'
import { openChat } from './current.ts'
import {
  type Asker,
  aheadOfArchive,
  type LiveChat,
  type LiveHeader,
  type LiveMessage,
  requestsOf,
  saidIn,
} from './live.ts'
import { isOnDisk } from './on-disk.ts'
import { archivedNamed } from './open.ts'
import { type OriginFields, originOf } from './origin.ts'
import { cleanPreview, cutAt } from './preview.ts'

/** A chat as a reader opens it: all that is shown before the first message is. */
export interface OpenedChat {
  chat: Omit<ArchivedChat, 'key' | 'subagent' | 'parentId' | 'forkOf' | 'origin'> &
    OriginFields & {
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
  /** What was asked and finally answered: indexes. */
  focus: number[]
}

export type Relative = Pick<ArchivedChat, 'id' | 'source' | 'title' | 'messageCount'>

/** A message as it is read: the texts of a long one are cut, and `cut` says so. */
export type ReadMessage = Omit<Message, 'order' | 'attachments' | 'toolResults'> & {
  index: number
  copy?: boolean
  cut?: true
  /** `held`: there is a picture, too long for a page of messages. */
  attachments?: (Attachment & { held?: true })[]
  /** `chars`: how long its text is, where it is cut. */
  toolResults?: (ToolResult & { chars?: number })[]
}

export const MOST_MESSAGES = 200
export const MOST_TEXT = 60_000
const PREVIEW = 160

/** Cost: one row of the chat's, its requests, and the length of each message, 1 ms for 10,000 of them. */
export async function openedChat(asker: Asker, reference: string, clean: Clean): Promise<OpenedChat> {
  const { header, archived, said, outline } = await readable(asker, reference)
  const { key, subagent, parentId, forkOf, resume, origin, ...chat } = header
  const { archive } = asker
  const { parent, original, subagents, forks } = archived
    ? await archive.relatives(archived)
    : { subagents: [], forks: [] }
  const units = archived ? await archive.unitsOf(archived) : []
  const { requests, sizes, focus } = await outline()
  return {
    chat: clean(
      {
        ...chat,
        ...originOf(header),
        ...(isOnDisk(units) && { resume }),
        filePaths: units.map(({ path }) => path),
      },
      said,
    ),
    relatives: {
      ...(parent && { parent: relative(parent, clean) }),
      ...(original && { original: relative(original, clean) }),
      subagents: subagents.map((each) => relative(each, clean)),
      forks: forks.map((each) => relative(each, clean)),
    },
    requests: requests.map(({ index, createdAt, text }, i) => ({
      n: i + 1,
      index,
      preview: cleanPreview(text, PREVIEW, (part) => clean(part, said)),
      ...(createdAt !== undefined && { createdAt }),
    })),
    sizes,
    focus,
  }
}

/** Messages `from` to `to`, both counted, as far as one page goes. Cost: these messages, whatever the chat has. */
export async function readMessages(
  asker: Asker,
  reference: string,
  { from, to, whole = false }: { from: number; to: number; whole?: boolean },
  clean: Clean,
): Promise<{ messages: ReadMessage[]; total: number }> {
  const { header, said, messages } = await readable(asker, reference)
  const page = await messages(from, Math.min(to, from + MOST_MESSAGES - 1))
  const read = page.map((message) => clean(withoutOrder(message), said))
  return { messages: whole ? read : read.map(shortened), total: header.messageCount }
}

/** One message with all that is in it. */
export async function readMessage(
  asker: Asker,
  reference: string,
  index: number,
  clean: Clean,
): Promise<ReadMessage> {
  const { header: chat, said, messages } = await readable(asker, reference)
  const [message] = await messages(index, index)
  if (message) return clean(withoutOrder(message), said)
  throw new RecollectError(
    'MESSAGE_NOT_FOUND',
    `There is no message ${index} in ${chat.source}:${chat.id}.`,
    `It has ${chat.messageCount}, counted from 0.`,
  )
}

/** A chat as it is at this moment. While nothing is ahead of the archive, only what is asked for is read. */
export interface Readable {
  header: LiveHeader
  /** Missing where no sync has seen it yet. */
  archived?: ArchivedChat
  said: SaidIn
  messages(from: number, to: number): Promise<LiveMessage[]>
  outline(): Promise<ChatOutline>
}

export async function readable(asker: Asker, reference: string): Promise<Readable> {
  const { archive } = asker
  const archived = reference === 'current' ? undefined : await archivedNamed(asker, reference)
  const live = archived ? await aheadOfArchive(asker, archived) : await openChat(asker, reference)
  if (live) return inMemory(live, archived)
  return {
    header: archived!,
    archived,
    said: archived!,
    messages: (from, to) => archive.messages(archived!, { from, to }),
    outline: () => archive.outline(archived!),
  }
}

function inMemory(live: LiveChat, archived: ArchivedChat | undefined): Readable {
  const { chat, messages } = live
  return {
    header: chat,
    archived,
    said: saidIn(live),
    messages: async (from, to) => messages.slice(from, to + 1),
    outline: async () => ({
      requests: requestsOf(messages).map(({ index, createdAt, text }) => ({ index, createdAt, text })),
      sizes: messages.map(({ id, order, index, text, ...more }) => text.length + sizeOf(more)),
      focus: focusOf(
        messages.filter(({ kind, text, undone }) => !undone && (kind !== 'answer' || text !== '')),
      ),
    }),
  }
}

function sizeOf({ thinking = '', toolCalls, toolResults }: Partial<Message>): number {
  const tools = toolCalls || toolResults ? JSON.stringify([toolCalls, toolResults]).length : 0
  return thinking.length + tools
}

function withoutOrder({ order, ...message }: LiveMessage): ReadMessage {
  const { key: _, ...read } = message as typeof message & { key?: number }
  return read
}

/**
 * Every text of it cut to what a page can show; of what a tool gave, with its real size. A picture that is long is
 * left out, and `held` says that there is one.
 */
function shortened(message: ReadMessage): ReadMessage {
  const cut = { any: false }
  const { attachments, toolResults, ...rest } = message
  const short = {
    ...shortTexts(rest, cut),
    ...(attachments && {
      attachments: attachments.map(({ data, ...each }) => ({
        ...shortTexts(each, cut),
        ...(data !== undefined && (data.length <= MOST_TEXT ? { data } : { held: true as const })),
      })),
    }),
    ...(toolResults && {
      toolResults: toolResults.map((result) => ({
        ...shortTexts(result, cut),
        ...((result.text?.length ?? 0) > MOST_TEXT && { chars: result.text!.length }),
      })),
    }),
  }
  return cut.any ? { ...short, cut: true } : short
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

function relative({ key, id, source, title, messageCount }: ArchivedChat, clean: Clean): Relative {
  return clean({ id, source, title, messageCount }, { key })
}
