import { useQuery } from '@tanstack/react-query'
import { get } from '../../../lib/api.ts'
import type { ModelSettings, ModelStatus, ProviderStatus } from '../../../lib/types.ts'

/** All that this tab shows is asked for again after each change. */
export const KEYS = [['providers'], ['models'], ['model-settings'], ['overview']]

export function useProviders() {
  return useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) =>
      (await get<{ providers: ProviderStatus[] }>('/api/v2/providers', undefined, signal)).providers,
  })
}

export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: async ({ signal }) =>
      (await get<{ models: ModelStatus[] }>('/api/v2/models', undefined, signal)).models,
  })
}

export function useModelSettings() {
  return useQuery({
    queryKey: ['model-settings'],
    queryFn: ({ signal }) => get<ModelSettings>('/api/v2/model-settings', undefined, signal),
  })
}
