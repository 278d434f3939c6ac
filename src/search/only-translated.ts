import type { SearchView, WordField } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { TranslatedPart } from './languages/translate.ts'
import { standsIn } from './stands.ts'

/** Of a query's translated words those that these chats have only in another language. */
export function onlyTranslated(
  view: SearchView,
  parts: TranslatedPart[] | undefined,
  fields: WordField[],
  filter: MessageFilter,
  shown: { key: number }[],
): TranslatedPart[] {
  if (!parts || shown.length === 0) return []
  const chats = new Uint8Array(view.documents.endOfChats)
  for (const { key } of shown) chats[key] = 1
  const isShown = (term: string) => standsIn(view, term, fields, filter, chats)
  return parts.filter(({ term, ways }) => !isShown(term) && ways.some(isShown))
}
