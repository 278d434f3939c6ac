import type { Archive } from '../archive/archive.ts'

interface Named {
  source: string
  id: string
}

/** So many chats of one id are enough to know that it is not one's alone. */
const SAME = 2

/** A chat's id alone may be another's too. */
export function wholeName({ source, id }: Named): string {
  return `${source}:${id}`
}

/** The id where it names this chat wherever an id is taken, else with its assistant before it. Cost: one look into an index. */
export async function uniqueId(archive: Archive, chat: Named): Promise<string> {
  // A colon may be taken for the end of an assistant's name.
  if (chat.id.includes(':')) return wholeName(chat)
  // In the order of their ids: the same ones come before those that only begin so.
  const begun = await archive.chatNamesBegunWith(chat.id, SAME)
  return begun.filter(({ id }) => id === chat.id).length > 1 ? wholeName(chat) : chat.id
}
