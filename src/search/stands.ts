import type { SearchView, WordField } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'

/**
 * Whether a term stands in one of these fields where a filter lets it through, in one of these chats where some are
 * given. Cost: the term's own lists, as far as to the first place.
 */
export function standsIn(
  view: SearchView,
  term: string,
  fields: WordField[],
  filter: MessageFilter,
  chats?: Uint8Array,
): boolean {
  const { chat: chatOf } = view.documents
  return fields.some((field) => {
    if (view.messagesWith(field, term) === 0) return false
    if (!chats && !filter.narrows) return true
    const { size, keys } = view.postings(field, term)
    for (let i = 0; i < size; i++) {
      const key = keys[i]!
      if (chats && chats[field === 'title' ? key : chatOf[key]!] !== 1) continue
      if (field === 'title' ? filter.passesChat(key) : filter.passes(key)) return true
    }
    return false
  })
}
