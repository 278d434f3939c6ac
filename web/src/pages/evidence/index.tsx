import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { post } from '../../lib/api.ts'
import { useUrlState } from '../../lib/route.ts'
import type { EvidenceAnswer, EvidenceKind } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { ChosenChats } from '../../ui/chats/chosen.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Item } from './item.tsx'
import { words } from './words.ts'
import './evidence.css'

const MOST_CHATS = 20
const ROOM = 400_000
const STEP = 100
const KINDS: EvidenceKind[] = ['file', 'command', 'link', 'code', 'citation', 'web', 'attachment']

export default function Evidence() {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const chats = params.getAll('chat').slice(0, MOST_CHATS)
  const query = params.get('q') ?? ''
  const { data, error, refetch, isPlaceholderData } = useEvidence(chats, useDeferredValue(query.trim()))
  const asked = chats.length > 0 || query.trim() !== ''
  return (
    <Page title={say.title} lead={say.lead}>
      <Field
        className="evidence-search"
        label={say.search}
        placeholder={say.searchPlaceholder}
        type="search"
        value={query}
        disabled={chats.length > 0}
        onChange={(event) => change({ q: event.target.value })}
      />
      <ChosenChats chats={chats} most={MOST_CHATS} onChange={(chat) => change({ chat })} />
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      {!asked ? (
        <Empty icon="evidence" title={say.need}>
          {say.needText}
        </Empty>
      ) : data ? (
        <div aria-busy={isPlaceholderData}>
          <Found answer={data} />
        </div>
      ) : (
        !error && <Skeleton height="20rem" />
      )}
    </Page>
  )
}

function useEvidence(chats: string[], query: string) {
  const chosen = chats.length > 0 ? { chatIds: chats } : { query }
  return useQuery({
    queryKey: ['list', 'evidence', chosen],
    enabled: chats.length > 0 || query !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => post<EvidenceAnswer>('collect_evidence', { ...chosen, max_chars: ROOM }, signal),
  })
}

function Found({ answer }: { answer: EvidenceAnswer }) {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const [shown, setShown] = useState(STEP)
  const kind = KINDS.find((each) => each === params.get('kind'))
  const filter = params.get('filter') ?? ''
  const sought = filter.toLowerCase()
  const items = answer.evidence.filter(
    (item) =>
      (kind === undefined || item.kind === kind) &&
      (sought === '' || `${item.value} ${item.title ?? ''}`.toLowerCase().includes(sought)),
  )
  const tabs = KINDS.filter((each) => answer.totals[each]).map((value) => ({
    value,
    label: say[value],
    count: String(answer.totals[value]),
  }))
  return (
    <>
      {answer.notFound?.map(({ id, error }) => (
        <ErrorBox key={id} error={error} />
      ))}
      <Tabs<EvidenceKind | 'all'>
        label={say.kinds}
        value={kind ?? 'all'}
        tabs={[{ value: 'all', label: say.all, count: String(answer.evidence.length) }, ...tabs]}
        onChange={(next) => change({ kind: next === 'all' ? undefined : next })}
      />
      <div className="evidence-tools">
        <Field
          label={say.filter}
          hideLabel
          placeholder={say.filter}
          type="search"
          value={filter}
          onChange={(event) => change({ filter: event.target.value })}
        />
        <CopyButton wide label={say.copyAll} text={() => items.map(({ value }) => value).join('\n')} />
      </div>
      {items.length === 0 && <p className="faint">{say.none}</p>}
      <ul className="evidence-list">
        {items.slice(0, shown).map((item) => (
          <Item key={`${item.kind} ${item.value}`} item={item} />
        ))}
      </ul>
      {items.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + STEP)}>
          {say.more(Math.min(STEP, items.length - shown))}
        </Button>
      )}
      {answer.leftOut && <p className="faint">{answer.leftOut.how}</p>}
    </>
  )
}
