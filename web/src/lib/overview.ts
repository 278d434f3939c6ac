import { useQuery } from '@tanstack/react-query'
import { get } from './api.ts'
import type { Overview } from './types.ts'

/** How much there is, of which assistants and workspaces, and how the syncing stands. */
export function useOverview(): Overview | undefined {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => get<Overview>('overview', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}

/** As people call it; the id where the archive holds nothing of it. */
export function useSourceName(): (source: string) => string {
  const names = useOverview()?.sources
  return (source) => names?.find((each) => each.source === source)?.name ?? source
}

/** The last folder of a path, which is what people call a project. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}
