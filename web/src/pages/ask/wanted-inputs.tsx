import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { get, put } from '../../lib/api.ts'
import type { ServerStatus } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { words } from './words.ts'

const LOOK_AGAIN_MS = 5_000

export function useServers() {
  return useQuery({
    queryKey: ['servers'],
    queryFn: async ({ signal }) =>
      (await get<{ servers: ServerStatus[] }>('/api/v2/mcp/servers', undefined, signal)).servers,
    // Whoever signs in does so in a terminal: here it is seen soon after.
    refetchInterval: ({ state }) => (state.data?.some(({ login }) => login) ? LOOK_AGAIN_MS : false),
  })
}

type Wanted = NonNullable<ServerStatus['wants']>[number]

/** What servers want as `${input:…}` before they can be started: a key goes in and never comes back. */
export function WantedInputs() {
  const { data: servers = [] } = useServers()
  const wanted = servers.flatMap(({ name, wants = [] }) => wants.map((each) => ({ server: name, ...each })))
  const once = wanted.filter(({ name }, at) => wanted.findIndex((each) => each.name === name) === at)
  return once.map((each) => <InputForm key={each.name} {...each} />)
}

/** Servers that want a sign-in, each with the command that begins it: the browser it opens must be on the machine that Recollect runs on. */
export function WantedLogins() {
  const say = useWords(words)
  const { data: servers = [] } = useServers()
  return servers.map(
    ({ id, name, login }) =>
      login && (
        <section key={id} className="ask-approval" aria-label={say.wantsLogin(name)}>
          <h3>{say.wantsLogin(name)}</h3>
          <p>{say.loginHint}</p>
          <p className="command">
            <code>{login}</code>
            <CopyButton text={login} label={say.copyCommand} />
          </p>
        </section>
      ),
  )
}

function InputForm({ server, name, description }: Wanted & { server: string }) {
  const say = useWords(words)
  const client = useQueryClient()
  const [value, setValue] = useState('')
  const keep = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => client.invalidateQueries({ queryKey: ['servers'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep.mutate(async () => {
      await put(`/api/v2/mcp/inputs/${encodeURIComponent(name)}`, { value })
      setValue('')
    })
  }
  return (
    <section className="ask-approval" aria-label={say.wantsInput(server, name)}>
      <h3>{say.wantsInput(server, name)}</h3>
      <form className="ask-question" onSubmit={submit}>
        <Field
          type="password"
          label={description ?? name}
          hint={say.inputHint}
          required
          maxLength={4096}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <div className="ask-approval-actions">
          <Button look="primary" type="submit" disabled={keep.isPending || value.trim() === ''}>
            {say.answerIt}
          </Button>
        </div>
        {keep.error && <ErrorBox error={keep.error} />}
      </form>
    </section>
  )
}
