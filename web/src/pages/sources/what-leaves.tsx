import { useQuery } from '@tanstack/react-query'
import { get } from '../../lib/api.ts'
import type { ProviderStatus, Settings } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { words } from './words.ts'

/** What this archive sends where, as it is configured now. */
export function WhatLeaves() {
  const say = useWords(words)
  const { data: providers } = useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) =>
      (await get<{ providers: ProviderStatus[] }>('/api/v2/providers', undefined, signal)).providers,
  })
  const { data: embeddings } = useQuery({
    queryKey: ['settings', 'embeddings'],
    queryFn: async ({ signal }) =>
      (await get<{ settings: Settings }>('settings', undefined, signal)).settings.embeddings?.url ?? null,
  })
  // Until both are known, nothing is claimed.
  if (!providers || embeddings === undefined) return null
  const models = providers.filter(({ ready, url }) => ready && url)
  if (models.length === 0 && embeddings === null) return <p>{say.local}</p>
  return (
    <>
      <p>{say.onlyConfigured}</p>
      <ul>
        {models.map(({ id, name, url }) => (
          <li key={id}>{say.sendsQuestions(name, hostOf(url!), isHere(url!))}</li>
        ))}
        {embeddings !== null && <li>{say.sendsMessages(hostOf(embeddings), isHere(embeddings))}</li>}
      </ul>
    </>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

function isHere(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
}
