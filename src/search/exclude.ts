import type { SearchView, WordField } from '../archive/archive.ts'
import type { ChatScore } from './ranking.ts'

/** The first chats that do not contain what is excluded, and how many were passed over. */
export function withoutExcluded(
  view: SearchView,
  chats: ChatScore[],
  excludes: string[],
  fields: WordField[],
  most: number,
): { checked: ChatScore[]; dropped: number } {
  if (excludes.length === 0) return { checked: chats.slice(0, most), dropped: 0 }
  const checked: ChatScore[] = []
  let dropped = 0
  for (const chat of chats) {
    if (checked.length === most) break
    if (excludedChat(view, chat.key, excludes, fields)) dropped++
    else checked.push(chat)
  }
  return { checked, dropped }
}

/** Whether a chat contains any of the texts, in lower case, anywhere in these fields. */
function excludedChat(view: SearchView, chat: number, excludes: string[], fields: WordField[]): boolean {
  for (const text of view.chatTexts(chat, fields)) {
    if (text === '') continue
    const lower = text.toLowerCase()
    if (excludes.some((each) => lower.includes(each))) return true
  }
  return false
}
