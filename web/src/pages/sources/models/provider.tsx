import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { del, post, put } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import type { ModelStatus, ProviderStatus } from '../../../lib/types.ts'
import { useWords } from '../../../lib/words.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { ErrorBox } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { KEYS } from './data.ts'
import { words } from './words.ts'

interface ProviderProps {
  provider: ProviderStatus
  isDefault: boolean
  models: ModelStatus[]
}

type SetUpAnswer = { notes: string[] }

/** One provider: how it is, and what can be done with it. */
export function Provider({ provider, isDefault, models }: ProviderProps) {
  const say = useWords(words)
  const [open, setOpen] = useState(false)
  const { id, name, key, own, local, ready } = provider
  const act = useAct()
  const label = (action: string) => say.of(action, name)
  const isKept = key === 'keychain' || key === 'file'
  return (
    <li className="models-provider" aria-label={name}>
      <div className="sources-row">
        <Facts provider={provider} isDefault={isDefault} models={models} />
        <div className="models-actions">
          {(ready || key !== 'missing') && (
            <Button
              look="quiet"
              aria-label={label(say.test)}
              disabled={act.isPending}
              onClick={() =>
                act.mutate(async () => {
                  const { models: has, note } = await post<{ models?: number; note?: string }>(
                    `/api/v2/providers/${id}/test`,
                  )
                  if (note) throw new Error(note)
                  toast(has === undefined ? say.answersNow(name) : say.works(name, say.models(has)))
                })
              }
            >
              {say.test}
            </Button>
          )}
          {isKept && (
            <Button
              look="quiet"
              aria-label={label(say.removeKey)}
              disabled={act.isPending}
              onClick={() =>
                act.mutate(async () => {
                  await del(`/api/v2/providers/${id}/key`)
                  toast(say.removedKey)
                })
              }
            >
              {say.removeKey}
            </Button>
          )}
          {own && (
            <Button
              look="quiet"
              aria-label={label(say.remove)}
              disabled={act.isPending}
              onClick={() => act.mutate(() => del(`/api/v2/providers/${id}`))}
            >
              {say.remove}
            </Button>
          )}
          <Button
            look={key === 'missing' ? 'primary' : 'plain'}
            aria-label={label(key === 'missing' ? say.setUp : say.change)}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {key === 'missing' ? say.setUp : say.change}
          </Button>
        </div>
      </div>
      {act.error && <ErrorBox error={act.error} />}
      {local && !ready && <p className="faint models-note">{say.startIt}</p>}
      {open && <SetUpForm provider={provider} models={models} onDone={() => setOpen(false)} />}
    </li>
  )
}

/** Does something, and has all that is shown here asked for again. */
function useAct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => Promise.all(KEYS.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

function Facts({ provider, isDefault, models }: ProviderProps) {
  const say = useWords(words)
  const { number } = useFormat()
  const { name, ready, key, local, url, own, defaultModel, context } = provider
  const isProgram = local && key === 'none needed'
  const state = ready
    ? isProgram
      ? say.found
      : say.ready
    : key === 'missing'
      ? say.needsKey
      : local
        ? say.notRunning
        : say.notReady
  // What is loaded on this machine is known; of others only what was set.
  const reads = context ?? (isProgram ? Math.max(0, ...models.map((each) => each.context ?? 0)) : 0)
  const facts = [
    ...(key === 'environment' || key === 'keychain' || key === 'file' ? [say.keyFrom(key)] : []),
    ...(models.length > 0 ? [say.models(models.length)] : []),
    ...(defaultModel ? [defaultModel] : []),
    ...(reads > 0 ? [say.reads(number(reads))] : []),
    ...((own || local) && url ? [url] : []),
  ]
  return (
    <div className="sources-facts">
      <p className="sources-name">
        <strong>{name}</strong>
        <Badge tone={ready ? 'good' : 'plain'}>{state}</Badge>
        {isDefault && <Badge tone="accent">{say.standard}</Badge>}
      </p>
      {facts.length > 0 && <p className="faint">{facts.join(' · ')}</p>}
    </div>
  )
}

interface FormProps {
  provider: ProviderStatus
  models: ModelStatus[]
  onDone: () => void
}

/** What is left empty stays as it is; the key is tried before it is kept. */
function SetUpForm({ provider, models, onDone }: FormProps) {
  const say = useWords(words)
  const list = useId()
  const { id, name, key: kept, defaultModel = '', context } = provider
  const [key, setKey] = useState('')
  const [model, setModel] = useState(defaultModel)
  const [size, setSize] = useState(context ? String(context) : '')
  const act = useAct()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act.mutate(
      async () => {
        const { notes } = await put<SetUpAnswer>(`/api/v2/providers/${id}`, {
          ...(key.trim() !== '' && { key: key.trim() }),
          ...(model.trim() !== defaultModel && { model: model.trim() || null }),
          ...(size !== String(context ?? '') && { context: size === '' ? null : Number(size) }),
        })
        setKey('')
        toast([say.saved(name), ...notes].join(' '))
      },
      { onSuccess: onDone },
    )
  }
  const isKept = kept === 'keychain' || kept === 'file'
  const isWanted = kept === 'missing'
  return (
    <form className="sources-form models-form" aria-label={say.of(say.setUp, name)} onSubmit={submit}>
      <Field
        autoFocus
        type="password"
        label={say.key}
        hint={isKept ? say.keyKept : isWanted ? say.keyHint : say.keyMaybe}
        value={key}
        maxLength={4096}
        onChange={(event) => setKey(event.target.value)}
      />
      <Field
        label={say.model}
        hint={say.modelHint}
        placeholder={say.unchanged}
        list={list}
        value={model}
        maxLength={200}
        onChange={(event) => setModel(event.target.value)}
      />
      <datalist id={list}>
        {models.map((each) => (
          <option key={each.id} value={each.id} />
        ))}
      </datalist>
      <Field
        label={say.context}
        hint={say.contextHint}
        placeholder={say.unchanged}
        type="number"
        min={2048}
        max={10_000_000}
        value={size}
        onChange={(event) => setSize(event.target.value)}
      />
      <Button type="submit" look="primary" disabled={act.isPending || (isWanted && key.trim() === '')}>
        {act.isPending ? say.testing : say.saveAndTest}
      </Button>
      <Button onClick={onDone}>{say.cancel}</Button>
      {act.error && <ErrorBox error={act.error} />}
    </form>
  )
}
