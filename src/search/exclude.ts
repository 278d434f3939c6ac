import type { SearchView, WordField } from '../archive/archive.ts'

/** Whether a chat contains any of the texts, in lower case, anywhere in these fields. */
export function excludedChat(
  view: SearchView,
  chat: number,
  excludes: string[],
  fields: WordField[],
): boolean {
  for (const text of view.chatTexts(chat, fields)) {
    if (text === '') continue
    const lower = text.toLowerCase()
    if (excludes.some((each) => lower.includes(each))) return true
  }
  return false
}
