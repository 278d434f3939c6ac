import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { pathWith, useUrlState } from '../../lib/route.ts'
import type { Facets } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Bars } from './bars.tsx'
import { type Chosen, noonOf, windowOf } from './days.ts'
import { words } from './words.ts'

/** How many chats speak of something, month by month. */
export function Trend({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const { number, month } = useFormat()
  const { params, change } = useUrlState()
  const term = params.get('term') ?? ''
  const [typed, setTyped] = useState(term)
  const { range, ...about } = chosen
  const time_window = windowOf(range)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['list', 'trend', term, time_window, about],
    queryFn: ({ signal }) => post<Facets>('facets', { query: term, time_window, ...about }, signal),
    enabled: term !== '',
  })
  const months = data?.month ?? []
  const ask = (event: FormEvent) => {
    event.preventDefault()
    change({ term: typed.trim() }, { push: true })
  }
  return (
    <section className="dashboard-part" aria-labelledby="trend">
      <div className="dashboard-part-head">
        <h2 id="trend">{say.trend}</h2>
        <p className="dashboard-readout">{term && say.chatsByMonth}</p>
      </div>
      <form className="dashboard-trend" onSubmit={ask}>
        <Field
          label={say.term}
          hideLabel
          placeholder={say.term}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">{say.showTrend}</Button>
      </form>
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      {isFetching && !data && <Skeleton height="4rem" />}
      {term && data && months.length === 0 && <p className="faint">{say.noTrend(term)}</p>}
      <Bars
        label={say.trend}
        all
        rows={months.map(({ value, chats }) => ({
          key: value,
          name: month(noonOf(`${value}-01`).getTime()),
          to: pathWith('/', { q: term, month: value, source: about.source, workspace: about.workspace }),
          value: chats,
          written: number(chats),
        }))}
      />
      {months.length > 0 && (
        <Fold summary={say.asTable}>
          {() => (
            <Table
              caption={`${say.trend}: ${term}. ${say.asTable}`}
              file="trend"
              columns={[
                {
                  name: say.month,
                  wide: true,
                  cell: ({ value }) => month(noonOf(`${value}-01`).getTime()),
                  raw: ({ value }) => value,
                },
                { name: say.chats, number: true, cell: ({ chats }) => chats },
              ]}
              rows={months}
              keyOf={({ value }) => value}
            />
          )}
        </Fold>
      )}
    </section>
  )
}
