import type { SearchView, WordField } from '../archive/archive.ts'
import { type NearWords, nearestWords } from './meaning/nearest.ts'
import type { Query } from './query-parts.ts'

const EVERYWHERE: WordField[] = ['said', 'thought', 'tools', 'title']

/**
 * Where none of the words is anywhere in the archive: words of the archive that mean something like them. Looks at
 * the whole archive, whatever the search is narrowed to: a narrower search must find nothing that a wider one
 * does not. Quoted words are meant as they stand, and so are names and codes.
 */
export function lastStep(view: SearchView, query: Query, isAllowed: (term: string) => boolean): NearWords[] {
  if (query.phrases.length > 0 || query.names.length > 0 || query.terms.some(({ prefix }) => prefix))
    return []
  const isThere = (term: string) => EVERYWHERE.some((field) => view.messagesWith(field, term) > 0)
  if (query.terms.some(({ term, also = [] }) => isThere(term) || also.some((each) => isThere(each.term))))
    return []
  return nearestWords(view, query, EVERYWHERE, isAllowed)
}

/** What the answer says of it. */
export function noteOf(near: NearWords[]): string[] {
  if (near.length === 0) return []
  const words = near.map(({ word, instead }) => `${word} → ${instead.join(', ')}`)
  return [
    `None of these words was found; these chats hold words that mean something like them: ${words.join('; ')}.`,
  ]
}
