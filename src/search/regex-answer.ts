import type { Archive, WordField } from '../archive/archive.ts'
import type { SearchAnswer } from './answer.ts'
import { guidanceFor } from './guidance.ts'
import { cursorAt, type SearchInput, skippedBy } from './input.ts'
import { regexSearch } from './regex.ts'
import { originFields } from './result.ts'
import type { Clean } from './snippet.ts'

/** How sure an answer is that matches what was asked for to the letter. */
const MATCHED = 0.7
const SNIPPETS = 3

/** The answer to a search by a regular expression: every chat in which it matches, the newest first. */
export async function regexAnswer(
  archive: Archive,
  input: SearchInput,
  fields: WordField[],
  clean: Clean,
): Promise<SearchAnswer> {
  const most = Math.min(200, Math.max(1, input.limit_chats ?? input.limit ?? 10))
  const perChat = input.limit_snippets_per_chat ?? SNIPPETS
  const skip = skippedBy(input.cursor)
  const found = await regexSearch(archive, input, { fields, most, skip, perChat, clean })
  const { total, note } = found
  const chats = found.chats.map((each) => ({ ...each, chat: clean(each.chat, each.chat) }))
  const topChatIds = chats.map(({ chat }) => chat.id)
  const confidence = total > 0 ? MATCHED : 0
  const results = chats.map(({ chat, hits, snippets }) => ({
    chatId: chat.id,
    sessionId: chat.id,
    title: chat.title,
    source: chat.source,
    workspace: chat.workspace,
    ...originFields(chat),
    date: new Date(chat.updatedAt ?? chat.createdAt ?? 0).toLocaleDateString('sv'),
    updatedAt: chat.updatedAt,
    relevance: 1,
    hits,
    timeRange: { from: chat.createdAt, to: chat.updatedAt },
    ...(chat.pinned && { pinned: true as const }),
    snippets,
  }))
  return {
    status: 'ok',
    iterations_used: 1,
    confidence,
    totalFound: total,
    topChatIds,
    results,
    // Nothing is tried instead: a pattern matches or does not.
    guidance: guidanceFor(input, {
      confidence,
      totalFound: total,
      results,
      isMore: false,
      expandedTerms: [],
      excludes: [],
      units: 1,
      brings: () => false,
    }),
    ...(total > skip + chats.length && chats.length > 0 && { nextCursor: cursorAt(skip + chats.length) }),
    ...(note !== undefined && { notes: [note] }),
  }
}
