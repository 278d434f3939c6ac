import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { post } from '../../lib/api.ts'
import { soughtIn, useUrlState } from '../../lib/route.ts'
import type { SeveralChats } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { ChosenChats } from '../../ui/chats/chosen.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Beside } from './beside.tsx'
import { HitsBar, useHits } from './hits.tsx'
import { Common, Only, Together } from './views.tsx'
import { words } from './words.ts'
import './compare.css'

const MOST = 6
const ROOM = 600_000
const VIEWS = ['beside', 'common', 'only', 'together'] as const

export default function Compare() {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const chats = params.getAll('chat').slice(0, MOST)
  const view = VIEWS.find((each) => each === params.get('view')) ?? 'beside'
  const { data, error, refetch } = useQuery({
    queryKey: ['list', 'compare', chats],
    enabled: chats.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => post<SeveralChats>('gather_chats', { chatIds: chats, max_chars: ROOM }, signal),
  })
  return (
    <Page title={say.title} lead={say.lead} wide>
      <ChosenChats chats={chats} most={MOST} onChange={(chat) => change({ chat })} />
      {chats.length < 2 ? (
        <Empty icon="compare" title={say.need}>
          {say.needText}
        </Empty>
      ) : (
        <>
          {error && <ErrorBox error={error} retry={() => void refetch()} />}
          {data?.notFound?.map(({ id, error: message }) => (
            <ErrorBox key={id} error={`${say.notFound}: ${message}`} />
          ))}
          <Tabs
            label={say.view}
            value={view}
            tabs={VIEWS.map((value) => ({
              value,
              label: say[value],
              ...(value === 'common' && data && { count: String(data.commonAlignment?.length ?? 0) }),
            }))}
            onChange={(next) => change({ view: next === 'beside' ? undefined : next })}
          />
          {data ? <View view={view} data={data} /> : !error && <Skeleton height="20rem" />}
        </>
      )}
    </Page>
  )
}

function View({ view, data }: { view: (typeof VIEWS)[number]; data: SeveralChats }) {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const chats = data.meta.map(({ source, id }) => `${source}:${id}`)
  const root = useRef<HTMLDivElement>(null)
  const hits = useHits(root, chats, soughtIn(params))
  const find = hits.pattern
  return (
    <div ref={root} className="compare-view">
      {find && <HitsBar hits={hits} onClose={() => change({ q: '', fuzzy: '', expand: '' })} />}
      {data.leftOut && <p className="faint">{say.leftOut(data.leftOut.messages)}</p>}
      {view === 'beside' && <Beside data={data} find={find} />}
      {view === 'common' && <Common data={data} />}
      {view === 'only' && <Only data={data} />}
      {view === 'together' && <Together data={data} find={find} />}
    </div>
  )
}
