import { post } from '../../lib/api.ts'
import type { SearchAnswer } from '../../lib/types.ts'
import type { searchInput } from './filters.ts'

/** While the last word is being typed it may be the beginning of one: looked for when it finds nothing as it stands. */
export async function search(
  input: ReturnType<typeof searchInput>,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const answer = await ask(input, signal)
  if (answer.totalFound > 0 || !/[\p{L}\p{N}_]{2}$/u.test(input.query)) return answer
  const begun = await ask({ ...input, query: `${input.query}*` }, signal)
  return begun.totalFound > 0 ? begun : answer
}

function ask(input: ReturnType<typeof searchInput>, signal: AbortSignal): Promise<SearchAnswer> {
  return post('search_conversations', input, signal)
}
