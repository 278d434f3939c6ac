import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { get, put } from '../../lib/api.ts'
import type { Settings as Configured, SettingsAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { Backups, Retention } from './keeping.tsx'
import { words } from './settings-words.ts'

/** What is set, and what the owner may change without a file. */
export function Settings() {
  const say = useWords(words)
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'all'],
    queryFn: ({ signal }) => get<SettingsAnswer>('settings', undefined, signal),
  })
  const save = useMutation({
    // What somebody else set meanwhile stays.
    mutationFn: async (change: Partial<Configured>) => {
      const { settings } = await get<{ settings: Configured }>('settings')
      await put('settings', { ...settings, ...change })
    },
    onSuccess: () => {
      toast(say.saved)
      return client.invalidateQueries()
    },
  })
  if (error) return <ErrorBox error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="20rem" />
  const { settings, path, missingHomes } = data
  return (
    <>
      {save.error && <ErrorBox error={save.error} />}
      <Folders homes={settings.homes} missing={missingHomes} change={(homes) => save.mutate({ homes })} />
      <section className="sources-section">
        <h2>{say.redaction}</h2>
        <p className="faint">{say.redactionText}</p>
        <label className="sources-switch">
          <input
            type="checkbox"
            checked={settings.redactAtRest === true}
            disabled={save.isPending}
            onChange={(event) => save.mutate({ redactAtRest: event.target.checked || undefined })}
          />
          {say.redactAtRest}
        </label>
        <p className="faint">{say.redactOld}</p>
      </section>
      <Backups />
      <Retention />
      <p className="faint">{say.file(path)}</p>
    </>
  )
}

type Homes = Configured['homes']

function Folders({
  homes,
  missing,
  change,
}: {
  homes: Homes
  missing: string[]
  change: (homes: Homes) => void
}) {
  const say = useWords(words)
  const [typed, setTyped] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim()) change([...homes, typed.trim()])
    setTyped('')
  }
  return (
    <section className="sources-section">
      <h2>{say.folders}</h2>
      <p className="faint">{say.foldersText}</p>
      {homes.length === 0 && <p>{say.noFolders}</p>}
      <ul>
        {homes.map((home) => {
          const folder = typeof home === 'string' ? home : home.path
          return (
            <li key={folder}>
              <code>{folder}</code> {missing.includes(folder) && <Badge tone="warn">{say.missing}</Badge>}{' '}
              <IconButton
                icon="close"
                label={say.remove(folder)}
                onClick={() => change(homes.filter((each) => each !== home))}
              />
            </li>
          )
        })}
      </ul>
      <form className="sources-form" onSubmit={add}>
        <Field label={say.folder} value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Button type="submit" disabled={typed.trim() === ''}>
          {say.add}
        </Button>
      </form>
    </section>
  )
}
