import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { put } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import type { ModelSettings, ProviderStatus } from '../../../lib/types.ts'
import { useWords } from '../../../lib/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { ErrorBox } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { words } from './words.ts'

type Limit = { tokens?: number; cost?: number }
/** As it is typed: empty is no limit. */
type Typed = Record<string, { tokens: string; cost: string }>

const RUN = ' run'
const DAY = ' day'

/** What may be spent before the person is asked. */
export function Budget({ settings, providers }: { settings: ModelSettings; providers: ProviderStatus[] }) {
  const say = useWords(words)
  const { number, dollars } = useFormat()
  const client = useQueryClient()
  const { budget = {}, spent } = settings
  const named = providers.filter(({ id, ready, local }) => (ready && !local) || budget.providers?.[id])
  const [typed, setTyped] = useState<Typed>(() => ({
    [RUN]: typedFrom(budget.run),
    [DAY]: typedFrom(budget.day),
    ...Object.fromEntries(
      Object.entries(budget.providers ?? {}).map(([id, limit]) => [id, typedFrom(limit)]),
    ),
  }))
  const save = useMutation({
    mutationFn: () => put<ModelSettings>('/api/v2/model-settings', { budget: budgetFrom(typed) }),
    onSuccess: (now) => {
      client.setQueryData(['model-settings'], now)
      toast(say.budgetSaved)
    },
  })
  const rows = [
    { id: RUN, name: say.perAnswer, spent: undefined },
    { id: DAY, name: say.perDay, spent: sumOf(spent) },
    ...named.map(({ id, name }) => ({
      id,
      name: say.perProvider(name),
      spent: spent.find((each) => each.provider === id) ?? { tokens: 0, cost: 0 },
    })),
  ]
  const set = (id: string, field: keyof Limit, value: string) =>
    setTyped({ ...typed, [id]: { ...typedFrom(undefined), ...typed[id], [field]: value } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <section className="sources-section">
      <h2>{say.budget}</h2>
      <p className="faint">{say.budgetText}</p>
      {save.error && <ErrorBox error={save.error} />}
      <form onSubmit={submit}>
        <table className="models-budget">
          <thead>
            <tr>
              <th scope="col">{say.what}</th>
              <th scope="col">{say.tokens}</th>
              <th scope="col">{say.dollars}</th>
              <th scope="col">{say.spentToday}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, spent: today }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td>
                  <Field
                    hideLabel
                    label={say.tokensOf(name)}
                    type="number"
                    min={1}
                    step={1}
                    value={typed[id]?.tokens ?? ''}
                    onChange={(event) => set(id, 'tokens', event.target.value)}
                  />
                </td>
                <td>
                  <Field
                    hideLabel
                    label={say.dollarsOf(name)}
                    type="number"
                    min={0.01}
                    step="any"
                    value={typed[id]?.cost ?? ''}
                    onChange={(event) => set(id, 'cost', event.target.value)}
                  />
                </td>
                <td className="faint">{today ? `${number(today.tokens)} · ${dollars(today.cost)}` : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Button type="submit" disabled={save.isPending}>
          {say.save}
        </Button>
      </form>
    </section>
  )
}

function typedFrom({ tokens, cost }: Limit = {}): Typed[string] {
  return { tokens: tokens === undefined ? '' : String(tokens), cost: cost === undefined ? '' : String(cost) }
}

function budgetFrom({ [RUN]: run, [DAY]: day, ...others }: Typed) {
  const providers = Object.fromEntries(
    Object.entries(others).flatMap(([id, each]) => {
      const limit = limitFrom(each)
      return limit ? [[id, limit]] : []
    }),
  )
  const budget = {
    ...(limitFrom(run) && { run: limitFrom(run) }),
    ...(limitFrom(day) && { day: limitFrom(day) }),
    ...(Object.keys(providers).length > 0 && { providers }),
  }
  return Object.keys(budget).length > 0 ? budget : null
}

function limitFrom(typed: Typed[string] | undefined): Limit | undefined {
  const { tokens = '', cost = '' } = typed ?? {}
  if (tokens === '' && cost === '') return undefined
  return { ...(tokens !== '' && { tokens: Number(tokens) }), ...(cost !== '' && { cost: Number(cost) }) }
}

function sumOf(spent: ModelSettings['spent']): { tokens: number; cost: number } {
  return spent.reduce((sum, each) => ({ tokens: sum.tokens + each.tokens, cost: sum.cost + each.cost }), {
    tokens: 0,
    cost: 0,
  })
}
