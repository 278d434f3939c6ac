import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { post } from '../../lib/api.ts'
import type { SearchAnswer } from '../../lib/types.ts'
import { pageOf, type searchInput } from './filters.ts'

/** With the words as they were found in the end. */
export type Answered = SearchAnswer & { asked: string }

type Input = ReturnType<typeof searchInput>
type From = { cursor: string; asked: string } | undefined

/** The results as far as somebody scrolls; those of the words before stay until there are others. */
export function useSearch(input: Input) {
  return useInfiniteQuery({
    queryKey: ['search', input],
    queryFn: ({ signal, pageParam }) => search(input, pageParam, signal),
    initialPageParam: undefined as From,
    getNextPageParam: ({ nextCursor, asked }): From =>
      nextCursor ? { cursor: nextCursor, asked } : undefined,
    enabled: input.query.trim() !== '',
    placeholderData: keepPreviousData,
  })
}

/** One answer of several pages; a chat that moved from one page to the next meanwhile is told once. */
export function joined(pages: Answered[]): Answered | undefined {
  const [first] = pages
  if (!first || pages.length === 1) return first
  const known = new Set<string>()
  const results = pages
    .flatMap((page) => page.results)
    .filter(({ source, chatId }) => {
      const isNew = !known.has(`${source}:${chatId}`)
      known.add(`${source}:${chatId}`)
      return isNew
    })
  return { ...first, results }
}

/** While the last word is being typed it may be the beginning of one: looked for when it finds nothing as it stands. */
async function search(input: Input, from: From, signal: AbortSignal): Promise<Answered> {
  const page = pageOf(from?.cursor)
  const asked = from?.asked ?? input.query
  const answer = await ask({ ...input, ...page, query: asked }, signal)
  if (from || answer.totalFound > 0 || !/[\p{L}\p{N}_]{2}$/u.test(asked)) return { ...answer, asked }
  const begun = await ask({ ...input, ...page, query: `${asked}*` }, signal)
  return begun.totalFound > 0 ? { ...begun, asked: `${asked}*` } : { ...answer, asked }
}

let running: Promise<unknown> = Promise.resolve()
/** So long at most: a regular expression may take seconds. */
const PATIENCE_MS = 100

/**
 * One search at a time, the newest next: the server does one after the other, also those that nobody waits for any more.
 * So what is typed is asked for at once, and never stands behind the letters before it.
 */
async function ask(input: object, signal: AbortSignal): Promise<SearchAnswer> {
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  signal.throwIfAborted()
  const late = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => late.abort(), PATIENCE_MS))
  const answer = post<SearchAnswer>('search_conversations', input, late.signal)
  running = answer.catch(() => {})
  return await answer
}
