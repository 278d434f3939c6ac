import type { SearchView } from '../archive/archive.ts'
import { type SearchInput, timeOf } from './input.ts'
import type { Query } from './query.ts'
import type { ChatScore, Ranking } from './ranking.ts'

/** Whether a search would show a chat that is not shown now, where its chats are known. */
export function bringsMore(chats: ChatScore[], shown: ReadonlySet<number>, limit: number): boolean {
  return chats.slice(0, limit).some(({ key }) => !shown.has(key))
}

/** Whether all that changes is that chats must hold all of the words: what these are is known then. */
export function isForAll(changes: Partial<SearchInput>): boolean {
  return changes.match === 'all' && Object.keys(changes).length === 1
}

/** Whether all that changes is what the words are taken for. */
export function isForWords(changes: Partial<SearchInput>): boolean {
  return Object.keys(changes).every((name) => name === 'precision_mode' || name === 'expand')
}

export function isSame(a: Query, b: Query): boolean {
  return JSON.stringify(a.terms) === JSON.stringify(b.terms)
}

/** Times are known to a few minutes here. */
const SLACK_S = 256

/**
 * Whether a search narrowed to a time shows a chat that is not shown now, as far as that is sure without ranking again:
 * a chat is found in that time that is not shown, and there is room for it, as one that is shown was not touched since.
 */
export function surelyBrings(
  view: SearchView,
  recent: Ranking['recent'],
  shown: ReadonlySet<number>,
  limit: number,
  input: SearchInput,
): boolean {
  const { from, to } = timeOf(input)
  if (!recent || from === undefined || to !== undefined) return false
  const touched = (key: number) => view.chat(key).updatedAt ?? 0
  if (shown.size >= limit && [...shown].every((key) => touched(key) >= from)) return false
  const found = recent.find(({ key }) => !shown.has(key))
  return found !== undefined && (found.at - SLACK_S) * 1000 >= from && touched(found.key) >= from
}
