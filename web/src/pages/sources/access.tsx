import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { del, get, post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import type { Scope, Token } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { words } from './words.ts'

const SCOPES: Scope[] = ['read', 'context', 'export', 'ask', 'approve']

const KEY = ['tokens']

/** Who may ask over HTTP, and how to let an assistant in. */
export function Access() {
  const say = useWords(words)
  const { date } = useFormat()
  const client = useQueryClient()
  const tokens = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await get<{ tokens: Token[] }>('tokens', undefined, signal)).tokens,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => del(`tokens/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  })
  const error = tokens.error ?? revoke.error
  return (
    <>
      <section className="sources-section">
        <h2>{say.tokensTitle}</h2>
        <p className="faint">{say.tokensText}</p>
        {error && <ErrorBox error={error} />}
        {tokens.data?.length === 0 && <p>{say.noTokens}</p>}
        {tokens.data && tokens.data.length > 0 && (
          <Table
            caption={say.tokensTitle}
            columns={[
              { name: say.name, wide: true, cell: ({ name }) => name },
              { name: say.scopes, cell: ({ scopes }) => scopes.map((scope) => say.scope(scope)).join(', ') },
              { name: say.created, cell: ({ createdAt }) => date(createdAt) },
              {
                name: say.expires,
                cell: ({ expiresAt }) => (expiresAt === undefined ? say.never : date(expiresAt)),
              },
              {
                name: say.revoke,
                cell: ({ id, name }) => (
                  <Button look="quiet" aria-label={`${say.revoke} ${name}`} onClick={() => revoke.mutate(id)}>
                    {say.revoke}
                  </Button>
                ),
              },
            ]}
            rows={tokens.data}
            keyOf={({ id }) => id}
          />
        )}
        <NewToken />
      </section>
      <section className="sources-section">
        <h2>{say.agentsTitle}</h2>
        <p className="faint">{say.agentsText}</p>
        <Code text="recollect setup" language="sh" />
      </section>
    </>
  )
}

function NewToken() {
  const say = useWords(words)
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read', 'ask'])
  const create = useMutation({
    mutationFn: () =>
      post<{ token: string }>('tokens', {
        name: name.trim(),
        scopes,
        ...(days !== '' && { days: Number(days) }),
      }),
    onSuccess: () => {
      setName('')
      return client.invalidateQueries({ queryKey: KEY })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && scopes.length > 0) create.mutate()
  }
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope])
  return (
    <>
      <form className="sources-form" onSubmit={submit}>
        <Field
          label={say.name}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={say.days}
          placeholder={say.forGood}
          type="number"
          min={1}
          max={3650}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
        <fieldset className="sources-scopes">
          <legend>{say.scopes}</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />{' '}
              {say.scope(scope)}
            </label>
          ))}
        </fieldset>
        <Button type="submit" disabled={name.trim() === '' || scopes.length === 0 || create.isPending}>
          {say.create}
        </Button>
      </form>
      {create.error && <ErrorBox error={create.error} />}
      {create.data && (
        <div className="sources-token" role="status">
          <p>{say.newToken}</p>
          <code>{create.data.token}</code>
          <CopyButton text={create.data.token} />
        </div>
      )}
    </>
  )
}
