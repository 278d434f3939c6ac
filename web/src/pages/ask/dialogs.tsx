import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { get } from '../../lib/api.ts'
import { pathWith } from '../../lib/route.ts'
import type { AgentSession } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { words } from './words.ts'

interface Page {
  sessions: AgentSession[]
  next?: string
}

const LOOK_AGAIN_MS = 3_000

function isGoing({ sessions }: Page): boolean {
  return sessions.some(({ status }) => status === 'running')
}

/** Earlier dialogs with the agent, newest first. */
export function Dialogs({ now }: { now: string | undefined }) {
  const say = useWords(words)
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['sessions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => get<Page>('sessions', { limit: 30, cursor }, signal),
    getNextPageParam: ({ next }) => next,
    // One that runs or waits changes by itself.
    refetchInterval: ({ state }) => (state.data?.pages.some(isGoing) ? LOOK_AGAIN_MS : false),
  })
  const sessions = data?.pages.flatMap((page) => page.sessions)
  return (
    <nav className="ask-dialogs" aria-label={say.dialogs}>
      <h2 className="ask-label">{say.dialogs}</h2>
      {sessions?.length === 0 && <p className="faint">{say.noDialogs}</p>}
      <ul>
        {sessions?.map(({ id, title, updatedAt, status, asks }) => (
          <li key={id}>
            <Link
              className="ask-dialog"
              href={pathWith('/ask', { session: id })}
              aria-current={id === now ? 'page' : undefined}
            >
              <span className="one-line">{title}</span>
              <span className="ask-dialog-facts">
                <Time at={updatedAt} />
                {status !== 'done' && (
                  <span>
                    {asks ? say.paused : status === 'cancelled' ? say['status-cancelled'] : say[status]}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button look="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say.more}
        </Button>
      )}
    </nav>
  )
}
