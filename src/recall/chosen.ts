import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { type TimeWindow, timeOf } from '../search/input.ts'
import { searchConversations } from '../search/search.ts'

/** Which chats: named, or those that a search or a filter finds. */
export interface Choice {
  chatIds?: string[]
  query?: string
  source?: string
  workspace?: string
  time_window?: TimeWindow
  limit?: number
}

/** What to do where none of the ids is known. */
export const GIVE_IDS = 'list_chats and search_conversations give ids of chats.'

const FOUND = 20
const MOST_FOUND = 200
const PAGE = 500

/** Names of the chats that are meant, each good for `openChat`. */
export async function chosenChats(archive: Archive, choice: Choice): Promise<string[]> {
  const { chatIds, query, source, workspace, time_window, limit } = choice
  if (chatIds?.length) return [...new Set(chatIds)]
  if (query?.trim()) {
    const answer = await searchConversations(archive, {
      query,
      source,
      workspace,
      time_window,
      limit_chats: Math.min(limit ?? FOUND, MOST_FOUND),
    })
    return answer.results.map((result) => `${result.source}:${result.chatId}`)
  }
  if (!source && !workspace && !time_window) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Which chats?',
      'Give chatIds, a query, or a source, workspace or time_window.',
    )
  }
  const { from, to } = timeOf({ time_window })
  const filter = { source, workspace, updatedFrom: from, updatedTo: to }
  const names: string[] = []
  let after: { value: number; key: number } | undefined
  for (;;) {
    const page: ArchivedChat[] = await archive.pageChats(filter, { sort: 'updated', limit: PAGE, after })
    for (const chat of page) {
      if (names.length === limit) return names
      names.push(`${chat.source}:${chat.id}`)
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return names
    after = { value: last.updatedAt ?? 0, key: last.key }
  }
}
