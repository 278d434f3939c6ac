import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { del, get } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useUrlState } from '../../lib/route.ts'
import { recall, remember } from '../../lib/stored.ts'
import type { ModelStatus, ProviderStatus } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog as Question } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { Composer } from './composer.tsx'
import { Dialogs } from './dialogs.tsx'
import { ChatsRead, Parts } from './parts.tsx'
import { useDialog } from './use-dialog.ts'
import { WantedInputs, WantedLogins } from './wanted-inputs.tsx'
import { Welcome } from './welcome.tsx'
import { words } from './words.ts'
import './ask.css'

export default function Ask() {
  const say = useWords(words)
  const { compact } = useFormat()
  const { params, change } = useUrlState()
  const sessionId = params.get('session') ?? undefined
  const providers = useProviders()
  const chosen = useChosenModel()
  const [removing, setRemoving] = useState(false)
  const dialog = useDialog(sessionId, chosen, (id) => change({ session: id }))
  const waitsForPerson = dialog.parts.some(
    (part) => part.kind === 'question' && part.question.outcome === undefined,
  )
  const isReady = providers.data?.some(({ ready }) => ready) ?? true
  return (
    <Page
      title={say.title}
      lead={say.lead}
      wide
      actions={
        <>
          <ModelChoice providers={providers.data ?? []} />
          {sessionId && (
            <IconButton icon="trash" label={say.removeDialog} onClick={() => setRemoving(true)} />
          )}
          <Button onClick={() => change({ session: undefined }, { push: true })}>{say.newDialog}</Button>
        </>
      }
    >
      <div className="ask">
        <Dialogs now={sessionId} />
        <div className="ask-main">
          {providers.error && <ErrorBox error={providers.error} retry={() => void providers.refetch()} />}
          <div className="ask-thread" aria-live="polite" aria-busy={dialog.running}>
            {dialog.parts.length === 0 && !sessionId && (
              <Welcome
                providers={providers.data ?? []}
                isReady={isReady}
                onAsk={(example) => dialog.send(example, [])}
              />
            )}
            <Parts
              parts={dialog.parts}
              running={dialog.running}
              onDecide={dialog.decide}
              onAnswer={dialog.answer}
              onAsk={dialog.ask}
            />
            {dialog.running && !waitsForPerson && <p className="ask-working">{say.working}</p>}
            {dialog.error !== undefined && dialog.error !== null && <ErrorBox error={dialog.error} />}
            {!dialog.running && <ChatsRead parts={dialog.parts} besides={sessionId} />}
            {dialog.usage && !dialog.running && (
              <p className="faint ask-usage">
                {dialog.answeredBy && `${dialog.answeredBy} · `}
                {say.tokens(compact(dialog.usage.input ?? 0), compact(dialog.usage.output ?? 0))}
              </p>
            )}
            {isReady && <WantedInputs />}
            {isReady && <WantedLogins />}
            <End follow={dialog.parts} />
          </div>
          <Composer running={dialog.running} disabled={!isReady} onSend={dialog.send} onStop={dialog.stop} />
        </div>
      </div>
      {sessionId && (
        <RemoveDialog
          open={removing}
          id={sessionId}
          onClose={(removed) => {
            setRemoving(false)
            if (removed) change({ session: undefined })
          }}
        />
      )}
    </Page>
  )
}

function useProviders() {
  return useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) =>
      (await get<{ providers: ProviderStatus[] }>('/api/v2/providers', undefined, signal)).providers,
  })
}

/** What was chosen last is chosen for the next chat too. */
const MODEL = 'ask.model'

/** `provider/model` in the address, or chosen before; without it the server chooses. */
function useChosenModel() {
  const [provider, ...model] = (useUrlState().params.get('model') ?? recall(MODEL) ?? '').split('/')
  return provider ? { provider, ...(model.length > 0 && { model: model.join('/') }) } : undefined
}

function ModelChoice({ providers }: { providers: ProviderStatus[] }) {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const ready = providers.filter((each) => each.ready)
  const { data: models = [] } = useQuery({
    queryKey: ['models'],
    enabled: ready.length > 0,
    queryFn: async ({ signal }) =>
      (await get<{ models: ModelStatus[] }>('/api/v2/models', undefined, signal)).models,
  })
  if (ready.length === 0) return null
  return (
    <Choice
      label={say.model}
      value={params.get('model') ?? recall(MODEL) ?? ''}
      options={[
        { value: '', label: say.defaultModel },
        ...models.map(({ provider, id }) => ({ value: `${provider}/${id}`, label: `${id} · ${provider}` })),
      ]}
      onChange={(model) => {
        remember(MODEL, model || null)
        change({ model })
      }}
    />
  )
}

/** Keeps the end in view while the answer grows, unless the person scrolled up. */
function End({ follow }: { follow: unknown }) {
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever it is, it grew
  useEffect(() => {
    const rest = document.documentElement.scrollHeight - innerHeight - scrollY
    if (rest < 240) end.current?.scrollIntoView({ block: 'end' })
  }, [follow])
  return <div ref={end} className="ask-end" />
}

interface RemoveProps {
  open: boolean
  id: string
  onClose: (removed: boolean) => void
}

function RemoveDialog({ open, id, onClose }: RemoveProps) {
  const say = useWords(words)
  const client = useQueryClient()
  const [error, setError] = useState<unknown>()
  const remove = async () => {
    try {
      await del(`sessions/${id}`)
      await client.invalidateQueries({ queryKey: ['sessions'] })
      onClose(true)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Question
      open={open}
      title={say.removeDialog}
      onClose={() => onClose(false)}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{say.keep}</Button>
          <Button look="danger" onClick={() => void remove()}>
            {say.remove}
          </Button>
        </>
      }
    >
      <p>{say.removeText}</p>
      {error !== undefined && <ErrorBox error={error} />}
    </Question>
  )
}
