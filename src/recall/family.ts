import type { Archive, ArchivedChat } from '../archive/archive.ts'

const DEEPEST = 20
const MOST = 1_000

/** A chat with those that came of it. */
export interface Family {
  chat: ArchivedChat
  /** How it came from the one above it. */
  as: 'chat' | 'fork' | 'sub-agent'
  below: Family[]
}

/** The chat that a chat goes back to, with all that came of it: forks and sub-agents. */
export async function familyOf(archive: Archive, chat: ArchivedChat): Promise<Family> {
  return await grow(archive, await topOf(archive, chat), 'chat', new Set())
}

async function topOf(archive: Archive, chat: ArchivedChat): Promise<ArchivedChat> {
  let top = chat
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { parent, original } = await archive.relatives(top)
    const above = parent ?? original
    if (!above || above.key === chat.key) break
    top = above
  }
  return top
}

async function grow(
  archive: Archive,
  chat: ArchivedChat,
  as: Family['as'],
  seen: Set<number>,
): Promise<Family> {
  seen.add(chat.key)
  const { subagents, forks } = await archive.relatives(chat)
  const below: Family[] = []
  for (const [child, kind] of [
    ...subagents.map((each) => [each, 'sub-agent'] as const),
    ...forks.map((each) => [each, 'fork'] as const),
  ]) {
    if (!seen.has(child.key) && seen.size < MOST) below.push(await grow(archive, child, kind, seen))
  }
  return { chat, as, below }
}
