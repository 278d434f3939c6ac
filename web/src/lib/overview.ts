import { useQuery } from '@tanstack/react-query'
import { get } from './api.ts'
import type { Overview, Places } from './types.ts'

/** How much there is, of which assistants, and how the syncing stands. */
export function useOverview(): Overview | undefined {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => get<Overview>('overview', { places: false }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}

/** The workspaces that there are chats of, the last used first, and where chats come from. */
export function usePlaces(): Places {
  const { data } = useQuery({
    queryKey: ['places'],
    queryFn: ({ signal }) => get<Places>('places', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NO_PLACES
}

const NO_PLACES: Places = { workspaces: [], origins: { repository: [], author: [], machine: [] } }

/** As people call it; the id where the archive holds nothing of it. */
export function useSourceName(): (source: string) => string {
  const names = useOverview()?.sources
  return (source) => names?.find((each) => each.source === source)?.name ?? source
}

/** The last folder of a path, which is what people call a project. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}
