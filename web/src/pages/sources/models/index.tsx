import { useMutation, useQueryClient } from '@tanstack/react-query'
import { put } from '../../../lib/api.ts'
import type { ModelSettings, ModelStatus, ProviderStatus } from '../../../lib/types.ts'
import { useWords } from '../../../lib/words.ts'
import { Choice } from '../../../ui/field.tsx'
import { ErrorBox, Skeleton } from '../../../ui/states.tsx'
import { Another } from './another.tsx'
import { Budget } from './budget.tsx'
import { KEYS, useModelSettings, useModels, useProviders } from './data.ts'
import { Provider } from './provider.tsx'
import { words } from './words.ts'
import './models.css'

/** Who answers, with whose key, and for how much. A key goes in and never comes back. */
export function Models() {
  const say = useWords(words)
  const settings = useModelSettings()
  const providers = useProviders()
  const { data: models = [] } = useModels()
  const error = settings.error ?? providers.error
  if (error) return <ErrorBox error={error} retry={() => void [settings.refetch(), providers.refetch()]} />
  if (!settings.data || !providers.data) return <Skeleton height="30rem" />
  const { keys, provider: chosen } = settings.data
  return (
    <>
      <WhoAnswers settings={settings.data} providers={providers.data} models={models} />
      <section className="sources-section models-providers">
        <h2>{say.providers}</h2>
        <p className="faint">{keys.keychain ? say.keysInKeychain(keys.place) : say.keysInFile(keys.place)}</p>
        <ul className="sources-list">
          {providers.data.map((provider) => (
            <Provider
              key={provider.id}
              provider={provider}
              isDefault={provider.id === chosen}
              models={models.filter((each) => each.provider === provider.id)}
            />
          ))}
        </ul>
      </section>
      <Another />
      <Budget settings={settings.data} providers={providers.data} />
    </>
  )
}

interface WhoProps {
  settings: ModelSettings
  providers: ProviderStatus[]
  models: ModelStatus[]
}

function WhoAnswers({ settings: { provider, model }, providers, models }: WhoProps) {
  const say = useWords(words)
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (use: string) => put('/api/v2/model-settings', { use }),
    onSuccess: () => Promise.all(KEYS.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const now = provider === undefined ? '' : [provider, model].filter(Boolean).join('/')
  const options = [
    ...(provider === undefined ? [{ value: '', label: say.automatic }] : []),
    ...providers
      .filter(({ ready, id }) => ready || id === provider)
      .flatMap(({ id, name, defaultModel }) => [
        { value: id, label: defaultModel ? `${name} · ${defaultModel}` : name },
        ...models
          .filter((each) => each.provider === id)
          .map((each) => ({ value: `${id}/${each.id}`, label: `${name} · ${each.id}` })),
      ]),
  ]
  const isListed = options.some(({ value }) => value === now)
  return (
    <section className="sources-section">
      <h2>{say.answers}</h2>
      <p className="faint">{say.answersText}</p>
      {change.error && <ErrorBox error={change.error} />}
      <Choice
        label={say.answers}
        value={now}
        disabled={change.isPending}
        options={isListed ? options : [{ value: now, label: now }, ...options]}
        onChange={(use) => use !== '' && change.mutate(use)}
      />
    </section>
  )
}
