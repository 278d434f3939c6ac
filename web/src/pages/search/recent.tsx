import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { folderName, useOverview } from '../../lib/overview.ts'
import { chatPath, type Params } from '../../lib/route.ts'
import type { ChatList, ListedChat, Overview } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge, SourceBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Author } from '../../ui/origin.tsx'
import { Starred } from '../../ui/star.tsx'
import { Empty, ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { type Filters, isNarrowed, listInput, NO_FILTERS } from './filters.ts'
import { SelectBox, type Selection } from './selection.tsx'
import { useNearEnd } from './use-near-end.ts'
import { words } from './words.ts'

interface RecentProps {
  filters: Filters
  change: (changes: Params) => void
  selection: Selection
}

/** In pixels, as the style has them. */
const ROW = 36
const HEADING = 46

/** The newest chats, as many as somebody scrolls for. */
export function Recent({ filters, change, selection }: RecentProps) {
  const w = useWords(words)
  const groupOf = useGroups()
  const overview = useOverview()
  const input = listInput(filters)
  const list = useInfiniteQuery({
    queryKey: ['list', input],
    queryFn: ({ signal, pageParam }) => post<ChatList>('list_chats', { ...input, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  const end = useNearEnd(() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage())
  if (list.error) return <ErrorBox error={list.error} retry={() => void list.refetch()} />
  // Both at once, or the list would move when the line above it comes.
  if (!list.data || !overview) return <Waiting />
  const chats = list.data.pages.flatMap((page) => page.chats)
  if (chats.length === 0)
    return (
      <Empty
        icon="search"
        title={w.noneHere}
        actions={isNarrowed(filters) && <Button onClick={() => change(NO_FILTERS)}>{w.noFilter}</Button>}
      />
    )
  const groups = chats.map(({ updatedAt }) => groupOf(updatedAt))
  const begins = (at: number) => groups[at] !== groups[at - 1]
  return (
    <section aria-label={w.recent}>
      <Archive overview={overview} />
      <VirtualList
        as="ul"
        items={chats}
        keyOf={({ source, chatId }) => `${source}:${chatId}`}
        heightOf={(_, at) => ROW + (begins(at) ? HEADING : 0)}
        isOpen={list.hasNextPage}
      >
        {(chat, at) => (
          <>
            {begins(at) && <h2 className="recent-group">{groups[at]}</h2>}
            <Row chat={chat} selection={selection} />
          </>
        )}
      </VirtualList>
      <div ref={end} className="recent-end" />
    </section>
  )
}

/** The states that somebody looks for in a list; most chats are done. */
const TONES = { running: 'accent', waiting: 'warn', failed: 'bad' } as const

function isTold(status?: string): status is keyof typeof TONES {
  return status !== undefined && status in TONES
}

function Row({ chat, selection }: { chat: ListedChat; selection: Selection }) {
  const w = useWords(words)
  const { source, chatId, title, workspace, author, machine, updatedAt, messageCount, pinned, status } = chat
  const id = `${source}:${chatId}`
  return (
    <div className="recent" data-result>
      <SelectBox chat={id} title={title} selection={selection} />
      <SourceBadge source={source} short />
      <span className="recent-name">
        <Link className="recent-title" href={chatPath(source, chatId)} data-row={id}>
          {pinned && <Starred />}
          {title}
        </Link>
        {isTold(status) && <Badge tone={TONES[status]}>{w[status]}</Badge>}
      </span>
      <span className="recent-workspace" title={workspace}>
        <Author author={author} machine={machine} />
        {workspace && <span>{folderName(workspace)}</span>}
      </span>
      <span className="recent-count" title={w.messages(messageCount)}>
        {messageCount}
      </span>
      <span className="recent-time">
        <Time at={updatedAt} />
      </span>
    </div>
  )
}

/** How much there is, and of whom. */
function Archive({ overview }: { overview: Overview }) {
  const w = useWords(words)
  const format = useFormat()
  const { archive, sources } = overview
  return (
    <p className="archive-line">
      <span>{w.archive(archive.chats, archive.messages)}</span>
      <span>{format.bytes(archive.bytes)}</span>
      {sources
        .filter(({ chats }) => chats > 0)
        .map(({ source, name, chats }) => (
          <Link key={source} href={`/?source=${encodeURIComponent(source)}`} title={w.found(chats)}>
            <SourceBadge source={source} name={name} />
            <span className="number">{format.number(chats)}</span>
          </Link>
        ))}
    </p>
  )
}

const PLACES = Array.from({ length: 8 }, (_, number) => `place ${number}`)

function Waiting() {
  return (
    <div className="recent-waiting" aria-hidden="true">
      {PLACES.map((place, number) => (
        <div key={place} className="recent">
          <Skeleton width="1.25rem" height="1.25rem" />
          <Skeleton width={`${30 + ((number * 17) % 35)}%`} height="0.8em" />
        </div>
      ))}
    </div>
  )
}

const DAY = 24 * 60 * 60 * 1000

function useGroups(): (at: number | null) => string {
  const w = useWords(words)
  const format = useFormat()
  const midnight = new Date().setHours(0, 0, 0, 0)
  return (at) => {
    if (at === null) return w.undated
    if (at >= midnight - DAY) return format.day(at >= midnight ? 0 : -1)
    return at >= midnight - 6 * DAY ? w.week : format.month(at)
  }
}
