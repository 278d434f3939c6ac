import type { SavedSearch } from '../../archive/archive.ts'
import type { SearchInput } from '../../search/input.ts'
import { plainLine } from './plain.ts'

type Saved = Pick<SavedSearch, 'input'>

/** What a saved search looks for. */
export function wordsOf({ input }: Saved): string {
  const { intent_query, query, regex } = input as SearchInput
  const words = [intent_query ?? query ?? ''].flat().join(' ')
  return words || (regex ? `/${regex}/` : '')
}

/** As it was saved, unless other words are typed in its place. */
export function savedInput({ saved }: { saved?: Saved }, words: string): SearchInput {
  if (!saved) return { intent_query: words }
  const input = saved.input as SearchInput
  if (words.trim() === plainLine(wordsOf(saved)).trim()) return input
  const { intent_query: _, query: __, regex: ___, ...rest } = input
  return { ...rest, intent_query: words }
}
