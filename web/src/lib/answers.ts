import { QueryClient } from '@tanstack/react-query'
import { Problem } from './api.ts'

/** What the server answered, kept for a while. It says itself what changed: see live.ts. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof Problem) || error.status >= 500 || error.status === 0),
      retryDelay: (failures) => 300 * 2 ** failures,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
