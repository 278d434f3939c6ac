import type { Ask } from './call.ts'
import { windowOf } from './call.ts'
import { dateTime } from './format.ts'

/** What to say where a time was asked for in which nobody said anything; nothing where that is not why nothing was found. */
export async function timeWithoutChats(
  ask: Ask,
  options: { since?: string; until?: string },
): Promise<string | undefined> {
  const time_window = windowOf(options)
  if (!time_window) return undefined
  const within = await ask('list_chats', { time_window, limit: 1 })
  if (within.chats.length > 0) return undefined
  const { chats } = await ask('list_chats', { limit: 1 })
  const newest = dateTime(chats[0]?.updatedAt ?? undefined).slice(0, 10)
  return `There are no chats in that time${newest ? `: the newest is from ${newest}` : ''}. Give another --since or --until, or leave them out.`
}
