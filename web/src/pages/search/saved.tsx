import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { dayOf } from '../../../../src/model/day.ts'
import { del, get, put } from '../../lib/api.ts'
import type { Params } from '../../lib/route.ts'
import type { SavedSearch } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { dayIn, type Filters, NO_FILTERS, searchInput } from './filters.ts'
import { words } from './saved-words.ts'

interface SavedSearchesProps {
  filters: Filters
  onClose: () => void
  onRun: (changes: Params) => void
}

/** Searches that are kept in the archive by a name: run again with a click, here or in a terminal. */
export default function SavedSearches({ filters, onClose, onRun }: SavedSearchesProps) {
  const { saved } = useWords(words)
  return (
    <Dialog open onClose={onClose} title={saved}>
      <Kept filters={filters} onRun={(input) => onRun(paramsOf(input))} />
    </Dialog>
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

/** The address of a search that was saved, here or in a terminal. */
function paramsOf(input: Record<string, unknown>): Params {
  const texts = (value: unknown) => [value ?? []].flat().map(String)
  const words = texts(input.intent_query ?? input.query).join(' ')
  const window = input.time_window
  const days = typeof window === 'string' ? /^(7|30|90)d$/.exec(window)?.[1] : undefined
  const { start, end } = (typeof window === 'object' && window !== null ? window : {}) as Record<
    string,
    unknown
  >
  const isBetween = start !== undefined || end !== undefined
  return {
    ...NO_FILTERS,
    q: words || (typeof input.regex === 'string' ? `/${input.regex}/` : ''),
    time: days ?? (isBetween ? 'between' : ''),
    from: dayGiven(start),
    to: dayGiven(end),
    source: texts(input.source),
    workspace: texts(input.workspace),
    model: texts(input.model),
    role: texts(input.role_filter),
    month: texts(input.months),
    repository: texts(input.repository)[0],
    author: texts(input.author)[0],
    machine: texts(input.machine)[0],
    sort: input.sort === 'date' ? 'date' : '',
    starred: input.starred === true,
    tools: input.include_tools_in_search === false ? 'no' : '',
    fuzzy: input.precision_mode === 'fuzzy',
    expand: input.expand === 'auto',
    all: input.match === 'all',
  }
}

/** `2026-05-01` out of that or of a moment. */
function dayGiven(given: unknown): string {
  if (typeof given === 'number') return dayOf(given)
  return typeof given === 'string' ? dayIn(given.slice(0, 10)) : ''
}
