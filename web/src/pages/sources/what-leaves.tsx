import { useQuery } from '@tanstack/react-query'
import { get } from '../../lib/api.ts'
import type { HubState, ProviderStatus, Settings } from '../../lib/types.ts'
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
  const { data: hub } = useQuery({
    queryKey: ['hub', 'address'],
    queryFn: async ({ signal }) => {
      const { joined, address = '' } = await get<HubState>('hub', undefined, signal)
      return joined ? address : null
    },
  })
  // Until all are known, nothing is claimed.
  if (!providers || embeddings === undefined || hub === undefined) return null
  const models = providers.filter(({ ready, url }) => ready && url)
  if (models.length === 0 && embeddings === null && hub === null) return <p>{say.local}</p>
  return (
    <>
      <p>{say.onlyConfigured}</p>
      <ul>
        {models.map(({ id, name, url }) => (
          <li key={id}>{say.sendsQuestions(name, hostOf(url!), isHere(url!))}</li>
        ))}
        {embeddings !== null && <li>{say.sendsMessages(hostOf(embeddings), isHere(embeddings))}</li>}
        {hub !== null && <li>{say.sendsChats(hub)}</li>}
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
