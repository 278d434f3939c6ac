import type { SearchView, WordField } from '../archive/archive.ts'
import { type Clean, marker } from './snippet.ts'

/**
 * Whether a word of the archive may be named to who searches: the index holds what was said, secrets
 * included, and a search for the beginning of one must not be answered with the rest of it.
 */
export function sayable(view: SearchView, fields: WordField[], clean: Clean): (term: string) => boolean {
  return (term) => {
    const mark = marker([term])
    for (const field of fields) {
      const { size, keys } = view.postings(field, term)
      if (size === 0) continue
      const key = field === 'title' ? keys[0]! : view.documents.chat[keys[0]!]!
      return mark(clean(view.fieldText(field, keys[0]!), { key })).length > 0
    }
    return false
  }
}
