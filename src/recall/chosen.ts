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

const MOST_FOUND = 1_000
const FOUND_AT_ONCE = 200
const PAGE = 500

/** The chats that are meant: their names, each good for `openChat`, and what is to be said where they are not all. */
export interface Chosen {
  names: string[]
  notes?: string[]
}

/** Of what narrows nothing where chats are named. */
export function besideNote(given: string): string {
  return `The chats that are named were taken: ${given} narrow nothing beside them.`
}

export async function chosenChats(archive: Archive, choice: Choice): Promise<Chosen> {
  const { chatIds, query, source, workspace, time_window, limit } = choice
  if (chatIds?.length) {
    const given = Object.entries({ query, source, workspace, time_window }).filter(([, value]) => value)
    const beside = given.map(([name]) => name).join(', ')
    const notes = beside && [besideNote(beside)]
    return { names: [...new Set(chatIds)], ...(notes && { notes }) }
  }
  if (query?.trim()) return await foundChats(archive, choice)
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
      if (names.length === limit) return { names }
      names.push(`${chat.source}:${chat.id}`)
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return { names }
    after = { value: last.updatedAt ?? 0, key: last.key }
  }
}

/** All that a search finds, page by page, and no more than can be opened in a reasonable time. */
async function foundChats(archive: Archive, choice: Choice): Promise<Chosen> {
  const { query, source, workspace, time_window, limit = MOST_FOUND } = choice
  const most = Math.min(limit, MOST_FOUND)
  const names = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const { results, nextCursor, totalFound } = await searchConversations(archive, {
      query,
      source,
      workspace,
      time_window,
      limit_chats: Math.min(FOUND_AT_ONCE, most - names.size),
      limit_snippets_per_chat: 1,
      cursor,
    })
    for (const result of results) names.add(`${result.source}:${result.chatId}`)
    if (!nextCursor || results.length === 0) return { names: [...names] }
    if (names.size >= most) return { names: [...names], notes: [beyond(names.size, totalFound)] }
    cursor = nextCursor
  }
}

function beyond(taken: number, found: number): string {
  return `The search finds ${found} chats; the best ${taken} of them were taken, ${found - taken} left out. Narrow it by source, workspace or time_window for the rest.`
}
