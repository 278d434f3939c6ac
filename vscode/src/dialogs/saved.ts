import type { SavedSearch } from '../../../src/archive/archive.ts'

/** A search that the owner keeps, as the view lists it. */
export interface ShownSearch {
  name: string
  /** What it looks for. */
  words: string
  /** With what it is narrowed to. */
  about: string
}

export function shownSearch({ name, input }: SavedSearch): ShownSearch {
  const words = wordsOf(input)
  return { name, words, about: [words, ...filtersOf(input)].filter(Boolean).join(' · ') }
}

/** As they would be typed. */
export function wordsOf({ intent_query, query, regex }: SavedSearch['input']): string {
  if (typeof regex === 'string') return `/${regex}/`
  return [intent_query ?? query ?? ''].flat().map(String).join(' ')
}

function filtersOf({ intent_query: _, query: __, regex: ___, ...rest }: SavedSearch['input']): string[] {
  return Object.entries(rest)
    .filter(([field, value]) => value !== undefined && USUAL[field] !== value)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
}

/** What every search is, unless it says otherwise. */
const USUAL: Record<string, unknown> = {
  include_tools_in_search: true,
  match: 'any',
  precision_mode: 'basic',
  expand: 'off',
  snippet_window: 160,
}
