import type { Archive } from '../archive/archive.ts'

/** Longer than need be now, so that chats of tomorrow do not make them ambiguous at once. */
const LENGTHS = [8, 13, 18, 24]

/** What each chat may be called wherever an id is taken: the beginning of its id that is its alone. */
export async function shortIds(
  archive: Archive,
  chats: { id: string; source: string }[],
): Promise<Map<string, string>> {
  const named = await Promise.all(
    chats.map(async (chat) => [chat.id, await shortId(archive, chat)] as [string, string]),
  )
  return new Map(named)
}

async function shortId(archive: Archive, { id, source }: { id: string; source: string }): Promise<string> {
  // A colon may be taken for the end of a source's name.
  if (id.includes(':')) return id
  for (const length of LENGTHS) {
    if (length + 4 > id.length) break
    const begun = await archive.chatNamesBegunWith(id.slice(0, length), 2)
    if (begun.length === 1) return id.slice(0, length)
  }
  const same = await archive.chatNamesBegunWith(id, 10)
  return same.filter((each) => each.id === id).length > 1 ? `${source}:${id}` : id
}
