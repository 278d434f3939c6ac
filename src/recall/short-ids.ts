import type { Archive } from '../archive/archive.ts'
import { uniqueId, wholeName } from '../search/unique-ids.ts'

/** Longer than need be now, so that chats of tomorrow do not make them ambiguous at once. */
const LENGTHS = [8, 13, 18, 24]

/** What each chat may be called wherever an id is taken, by its source and id: the beginning of its id that is its alone. */
export async function shortIds(
  archive: Archive,
  chats: { id: string; source: string }[],
): Promise<Map<string, string>> {
  const named = await Promise.all(
    chats.map(async (chat) => [wholeName(chat), await shortId(archive, chat)] as const),
  )
  return new Map(named)
}

async function shortId(archive: Archive, chat: { id: string; source: string }): Promise<string> {
  const { id } = chat
  // A colon may be taken for the end of a source's name.
  for (const length of id.includes(':') ? [] : LENGTHS) {
    if (length + 4 > id.length) break
    const begun = await archive.chatNamesBegunWith(id.slice(0, length), 2)
    if (begun.length === 1) return id.slice(0, length)
  }
  return await uniqueId(archive, chat)
}
