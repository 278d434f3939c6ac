import { post } from '../../lib/api.ts'
import type { SearchAnswer } from '../../lib/types.ts'
import type { searchInput } from './filters.ts'

/** With the words as they were found in the end. */
export type Answered = SearchAnswer & { asked: string }

/** While the last word is being typed it may be the beginning of one: looked for when it finds nothing as it stands. */
export async function search(input: ReturnType<typeof searchInput>, signal: AbortSignal): Promise<Answered> {
  const answer = await ask(input, signal)
  const asked = input.query
  if (answer.totalFound > 0 || !/[\p{L}\p{N}_]{2}$/u.test(asked)) return { ...answer, asked }
  const begun = await ask({ ...input, query: `${asked}*` }, signal)
  return begun.totalFound > 0 ? { ...begun, asked: `${asked}*` } : { ...answer, asked }
}

function ask(input: ReturnType<typeof searchInput>, signal: AbortSignal): Promise<SearchAnswer> {
  return post('search_conversations', input, signal)
}
