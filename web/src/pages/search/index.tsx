import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Problem } from '../../lib/api.ts'
import { useKeys } from '../../lib/keys.ts'
import { useOverview } from '../../lib/overview.ts'
import { useUrlState } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { useTitle } from '../../ui/page.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filtersOf, searchInput } from './filters.ts'
import { Recent } from './recent.tsx'
import { Results } from './results.tsx'
import { joined, useSearch } from './search.ts'
import { SearchBox } from './search-box.tsx'
import { SelectionBar, useSelection } from './selection.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useTyped } from './use-typed.ts'
import { words } from './words.ts'
import './lists.css'
import './search.css'

const EmptyArchive = lazy(() => import('./empty-archive.tsx'))
const Unanswerable = lazy(() => import('./unanswerable.tsx'))

/** On a phone the keyboard would cover the recent chats: there it comes when asked for. */
const hasKeyboard = matchMedia('(hover: hover)').matches

/** The first page: what was it about? With nothing asked, what came last. */
export default function Search() {
  const w = useWords(words)
  const { params, change } = useUrlState()
  const [, navigate] = useLocation()
  const filters = filtersOf(params)
  const asked = filters.q.trim()
  useTitle(asked || w.title)
  const overview = useOverview()
  const selection = useSelection(params, change)
  const [text, setText] = useTyped(filters.q, (q) => change({ q }))
  // Guidance remembers what was proposed for these words, so that it is not proposed twice.
  const [tried, setTried] = useState<{ q: string; state: unknown }>()
  const input = searchInput(filters, tried?.q === filters.q ? tried.state : undefined)
  const found = useSearch(input)
  const pages = found.data?.pages
  const answer = useMemo(() => joined(pages ?? []), [pages])

  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const toBox = () => {
    box.current?.focus()
    box.current?.select()
    scrollTo(0, 0)
  }
  useKeys({ '/': toBox, 'mod+k': toBox })
  // Not `autoFocus`, which would scroll a list away that the back button leads to.
  useEffect(() => {
    if (hasKeyboard) box.current?.focus({ preventScroll: true })
  }, [])
  const rowKeys = useRowKeys(list, box, selection.toggle)
  const openFirst = () => {
    const first = list.current?.querySelector<HTMLAnchorElement>('[data-index="0"] [data-row]')
    if (first) navigate(first.pathname + first.search + first.hash)
  }

  const isEmpty = overview?.archive.chats === 0
  return (
    <div className="search">
      <h1 className="visually-hidden">{w.search}</h1>
      <div className="search-top">
        <SearchBox
          ref={box}
          text={text}
          onText={setText}
          onDown={() => rowKeys.toFirst()}
          onEnter={openFirst}
        />
        <FilterBar filters={filters} change={change} searching={asked !== ''} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from link to link */}
      <div
        ref={list}
        className="search-list"
        aria-busy={asked !== '' && found.isPlaceholderData}
        onKeyDown={rowKeys.onKeyDown}
      >
        {isEmpty ? (
          <Suspense fallback={null}>
            <EmptyArchive overview={overview} />
          </Suspense>
        ) : asked === '' ? (
          <Recent filters={filters} change={change} selection={selection} />
        ) : found.error instanceof Problem && found.error.code === 'INVALID_QUERY' ? (
          <Suspense fallback={null}>
            <Unanswerable q={asked} problem={found.error} onAsk={(q) => change({ q })} />
          </Suspense>
        ) : found.error ? (
          <ErrorBox error={found.error} retry={() => void found.refetch()} />
        ) : (
          answer && (
            <Results
              answer={answer}
              isMore={found.hasNextPage}
              onMore={() => !found.isFetchingNextPage && void found.fetchNextPage()}
              filters={filters}
              change={change}
              onTried={(state) => setTried({ q: filters.q, state })}
              selection={selection}
            />
          )
        )}
      </div>
      <SelectionBar
        selection={selection}
        sought={{ ...filters, q: answer && asked !== '' ? answer.asked : '' }}
      />
    </div>
  )
}
