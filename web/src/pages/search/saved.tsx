import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { del, get, put } from '../../lib/api.ts'
import type { Params } from '../../lib/route.ts'
import type { SavedSearch } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { type Filters, paramsOf, searchInput } from './filters.ts'
import { words } from './words.ts'

interface SavedSearchesProps {
  filters: Filters
  change: (changes: Params, options?: { push?: boolean }) => void
}

/** Searches that are kept in the archive by a name: run again with a click, here or in a terminal. */
export function SavedSearches({ filters, change }: SavedSearchesProps) {
  const w = useWords(words)
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="bookmark" label={w.saved} className="saved-button" onClick={() => setOpen(true)} />
      <Dialog open={open} onClose={() => setOpen(false)} title={w.saved}>
        <Kept
          filters={filters}
          onRun={(input) => {
            setOpen(false)
            change(paramsOf(input), { push: true })
          }}
        />
      </Dialog>
    </>
  )
}

function Kept({ filters, onRun }: { filters: Filters; onRun: (input: SavedSearch['input']) => void }) {
  const w = useWords(words)
  const queries = useQueryClient()
  const list = useQuery({
    queryKey: ['searches'],
    queryFn: ({ signal }) => get<{ searches: SavedSearch[] }>('searches', undefined, signal),
    staleTime: 0,
  })
  const asked = filters.q.trim()
  const [name, setName] = useState(asked)
  const refresh = () => queries.invalidateQueries({ queryKey: ['searches'] })
  const save = useMutation({
    mutationFn: () => put('searches', { name, input: searchInput(filters) }),
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: (gone: string) => del(`searches/${encodeURIComponent(gone)}`),
    onSuccess: refresh,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') save.mutate()
  }
  const searches = list.data?.searches ?? []
  const error = list.error ?? save.error ?? remove.error
  return (
    <>
      {asked !== '' && (
        <form className="saved-form" onSubmit={onSubmit}>
          <Field
            label={w.saveAs}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
          />
          <Button look="primary" type="submit" disabled={name.trim() === '' || save.isPending}>
            {w.save}
          </Button>
        </form>
      )}
      {error && <ErrorBox error={error} />}
      {list.data && searches.length === 0 && <p className="faint">{w.noSaved}</p>}
      <ul className="saved-list">
        {searches.map((search) => (
          <li key={search.name}>
            <button type="button" className="saved-run" onClick={() => onRun(search.input)}>
              <span>{search.name}</span>
              <span className="faint one-line">{saidIn(search.input)}</span>
            </button>
            <IconButton
              icon="trash"
              label={w.removeSaved(search.name)}
              onClick={() => remove.mutate(search.name)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The words, and what they are narrowed to. */
function saidIn(input: SavedSearch['input']): string {
  const { q, source, workspace, model, role, month, starred } = paramsOf(input)
  return [q, source, workspace, model, role, month, starred ? '★' : []].flat().filter(Boolean).join(' · ')
}
