import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { post } from '../../lib/api.ts'
import { type Params, pathWith } from '../../lib/route.ts'
import type { MetricsAnswer } from '../../lib/types.ts'
import { type Chosen, daysOf, type GroupBy, windowOf } from './days.ts'

/** The sums, as a whole and by group. */
export function useMetrics(
  groupBy: GroupBy,
  { range, ...about }: Chosen,
  more: { tool?: string; limit?: number } = {},
) {
  const time_window = windowOf(range)
  // Days are those of whoever looks at the page, wherever the server is.
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const input = { group_by: groupBy, time_window, time_zone, ...about, ...more }
  return useQuery({
    queryKey: ['list', 'metrics', input],
    queryFn: ({ signal }) => post<MetricsAnswer>('usage_metrics', input, signal),
    placeholderData: keepPreviousData,
  })
}

/** The list of the chats of what is chosen, narrowed further. */
export function chatsPath(
  { range, source, workspace, repository, author, machine }: Chosen,
  narrowed: Params & { from?: string; to?: string } = {},
): string {
  const { from, to } = narrowed.from ? narrowed : daysOf(range)
  const time = from || to ? { time: 'between', from, to } : {}
  return pathWith('/', { source, workspace, repository, author, machine, ...narrowed, ...time })
}
