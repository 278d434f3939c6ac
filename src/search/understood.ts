import type { SearchView, WordField } from '../archive/archive.ts'
import { type MessageFilter, messageFilter } from './filter.ts'
import { withBeginnings, withPrefixes } from './fuzzy.ts'
import type { SearchInput } from './input.ts'
import { type TranslatedPart, translated } from './languages/translate.ts'
import type { Query } from './query.ts'
import { corrected, type Tried } from './spelling.ts'

/** What the words are taken for in this archive. */
export interface Understood {
  query: Query
  tried?: Tried[]
  translated?: TranslatedPart[]
}

/** The query with what its words are in other languages, and with what was meant by those that are misspelt. */
export function understoodIn(
  view: SearchView,
  asked: Query,
  fields: WordField[],
  { precision_mode }: SearchInput,
  /** Whether a word of the archive may be found so and named: it may be in a secret. */
  isSayable: (term: string) => boolean,
  filter: MessageFilter = messageFilter(view, {}),
): Understood {
  const inOthers = translated(view, withPrefixes(view, asked, fields, isSayable), fields, filter)
  const spelt = corrected(view, inOthers.query, fields, isSayable)
  const begun = precision_mode === 'fuzzy' ? withBeginnings(view, spelt.query, fields, isSayable) : undefined
  const tried = [...spelt.tried, ...(begun?.tried ?? [])]
  return {
    query: begun?.query ?? spelt.query,
    ...(tried.length > 0 && { tried }),
    ...(inOthers.translated.length > 0 && { translated: inOthers.translated }),
  }
}
