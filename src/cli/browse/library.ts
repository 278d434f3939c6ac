import type { Answers } from '../../capabilities/index.ts'
import { RecollectError } from '../../model/errors.ts'
import type { OpenedChat, ReadMessage } from '../../recall/reader.ts'
import { explained } from '../../search/explained.ts'
import { highlighter } from '../../search/highlight.ts'
import { regexOf } from '../../search/pattern.ts'
import type { Forgetter } from '../../service/forgetter.ts'
import type { Noter } from '../../service/noter.ts'
import type { Reader } from '../../service/reader.ts'
import type { Ask } from '../call.ts'
import { type Filters, listFor, searchFor, searchOf } from './filters.ts'
import { endOf, isRequest, type Reading, startOf } from './reading.ts'
import { regexPlaces } from './regex-places.ts'
import type { Entry, Found } from './state.ts'

/** So many messages are read at a time: enough for some screens, few enough not to be felt. */
const PAGE = 30
const BEFORE = 8
const MOST_PER_SEARCH = 200

/** What the browser asks of the archive. */
export type Library = ReturnType<typeof libraryOf>

export function libraryOf(ask: Ask, reader: Reader, forgetter: Forgetter, noter: Noter) {
  const messages = async (chat: Header, from: number, to: number): Promise<ReadMessage[]> => {
    if (to < from) return []
    const range = { from: Math.max(0, from), to, whole: true }
    return (await reader.messages(referenceOf(chat), range)).messages
  }

  return {
    /** The chats that hold the words, best first; without words the newest. Problems are told, not thrown. */
    async find(words: string, filters: Filters, limit: number): Promise<Found> {
      const began = performance.now()
      try {
        if (words.trim() === '') return await newest(filters, limit)
        const most = Math.min(limit, MOST_PER_SEARCH)
        const input = searchFor(words, filters, most)
        const answer = await ask('search_conversations', input)
        const regex = regexOf(input)
        const about = [...explained(answer), ...(answer.notes ?? []).slice(0, 1)]
        return {
          entries: answer.results.map(foundEntry),
          total: answer.totalFound,
          hasMore: answer.totalFound > answer.results.length && limit < MOST_PER_SEARCH,
          took: performance.now() - began,
          words: { text: words, in: regex ? regexPlaces(regex) : highlighter(words, markedIn(answer)) },
          ...(about.length > 0 && { problem: about.join(' ') }),
        }
      } catch (error) {
        return { entries: [], hasMore: false, problem: reasonOf(error) }
      }
    },

    /** The chat, with the messages around one of them. */
    async open(entry: Entry, index: number): Promise<Reading> {
      const { chat } = await reader.open(nameOf(entry))
      const from = Math.max(0, index - BEFORE)
      return { chat, messages: await messages(chat, from, from + PAGE - 1), top: { index: from, row: 0 } }
    },

    /** More of its messages. */
    async more(reading: Reading, side: 'before' | 'after'): Promise<ReadMessage[]> {
      const { chat } = reading
      return side === 'after'
        ? await messages(chat, endOf(reading), endOf(reading) + PAGE - 1)
        : await messages(chat, startOf(reading) - PAGE, startOf(reading) - 1)
    },

    /** Its first messages, or its last. */
    async edge(reading: Reading, to: 'start' | 'end'): Promise<Reading> {
      const { chat } = await reader.open(referenceOf(reading.chat))
      const from = to === 'start' ? 0 : Math.max(0, chat.messageCount - PAGE)
      return { chat, messages: await messages(chat, from, from + PAGE - 1), top: { index: from, row: 0 } }
    },

    /** What was asked at or before a message. */
    async request(chat: Header, index: number): Promise<string | undefined> {
      for (let to = index; to >= 0; to -= PAGE) {
        const request = (await messages(chat, to - PAGE + 1, to)).findLast(isRequest)
        if (request) return request.text
      }
      return undefined
    },

    async sources() {
      return (await reader.overview()).sources.filter(({ chats }) => chats > 0)
    },
    workspaces: () => reader.workspaces(),
    origins: () => reader.origins(),
    files: (chat: Header) => chat.filePaths,

    async export(names: string[], path: string): Promise<{ path: string; bytes: number }> {
      const input = { chatIds: names, format: 'markdown' as const, path }
      const written = await ask('export_chats', input)
      return { path: written.path ?? path, bytes: written.bytes ?? 0 }
    },

    star: (name: string, pinned: boolean) => noter.note(name, { pinned }),
    savedSearches: () => reader.savedSearches(),
    saveSearch: (name: string, words: string, filters: Filters) =>
      noter.saveSearch(name, { ...searchOf(words, filters) }),
    removeSearch: (name: string) => noter.removeSearch(name),

    /** Erases them for good. */
    async forget(names: string[]): Promise<{ chats: number; messages: number }> {
      return await forgetter.forget(await forgetter.unwanted({ chatIds: names }))
    },
  }

  async function newest(filters: Filters, limit: number): Promise<Found> {
    const entries: Entry[] = []
    let cursor: string | undefined
    do {
      const input = { ...listFor(filters, limit - entries.length), cursor }
      const page = await ask('list_chats', input)
      entries.push(...page.chats.map(listedEntry))
      cursor = page.nextCursor
    } while (cursor && entries.length < limit)
    return { entries, hasMore: cursor !== undefined }
  }
}

type Header = OpenedChat['chat']

function referenceOf({ source, id }: Header): string {
  return `${source}:${id}`
}

export function nameOf({ source, chatId }: Entry): string {
  return `${source}:${chatId}`
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof RecollectError && error.hint ? `${message} ${error.hint}` : message
}

/** Words that were found, as they are written: what was misspelt, other languages, other beginnings. */
function markedIn({ results }: Answers['search_conversations']): Set<string> {
  const snippets = results.flatMap((result) => result.snippets)
  return new Set(
    snippets.flatMap(({ text, marks }) =>
      marks.map(([start, end]) => text.slice(start, end).toLowerCase()).filter((word) => !/\s/.test(word)),
    ),
  )
}

function foundEntry(result: Answers['search_conversations']['results'][number]): Entry {
  const { source, chatId, title, workspace, author, updatedAt, pinned } = result
  const snippet = result.snippets.find((each) => each.source !== 'title')
  return {
    ...{ source, chatId, title, workspace, author, updatedAt, starred: pinned },
    ...(snippet && {
      snippet: {
        text: snippet.text,
        marks: snippet.marks,
        index: snippet.index,
        from: snippet.source === 'tool' ? 'tool' : snippet.role === 'user' ? 'you' : snippet.role,
      },
    }),
  }
}

function listedEntry(chat: Answers['list_chats']['chats'][number]): Entry {
  const { source, chatId, title, workspace, author, updatedAt, messageCount, pinned: starred } = chat
  return {
    source,
    chatId,
    title,
    workspace,
    author,
    updatedAt: updatedAt ?? undefined,
    messageCount,
    starred,
  }
}
