import type { Archive } from '../src/archive/archive.ts'
import { searchConversations } from '../src/search/search.ts'

export interface Content {
  /** Each with its messages. */
  chats: unknown[]
  searches: unknown[]
  [more: string]: unknown
}

/** All that a user could see, without numbers that only the archive knows; and what is found, unless that is left out. */
export async function contentOf(archive: Archive, { search = true } = {}): Promise<Content> {
  const chats = await archive.listChats({ subagents: true }, { limit: 1_000_000 })
  const content = []
  for (const chat of chats) {
    const messages = await archive.messages(chat)
    content.push([{ ...chat, key: 0 }, messages.map((message) => ({ ...message, key: 0 }))])
  }
  const searches = []
  for (const query of search ? ['error', 'the function', 'index', 'тест', '配置'] : []) {
    const answer = await searchConversations(archive, { intent_query: query, limit_chats: 50 })
    searches.push([
      query,
      answer.totalFound,
      answer.results.map((result) => [result.chatId, result.hits]).sort(),
    ])
  }
  const { sources, messages, forgotten } = await archive.overview()
  const counts = sources.map(({ lastSyncAt: _, ...source }) => source)
  return {
    chats: content.sort(byId),
    searches,
    counts,
    messages,
    forgotten,
    problems: (await archive.problems()).length,
  }
}

function byId(a: unknown, b: unknown): number {
  const id = (entry: unknown) => (entry as [{ source: string; id: string }])[0]
  return `${id(a).source}${id(a).id}` < `${id(b).source}${id(b).id}` ? -1 : 1
}
