import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { get } from '../../lib/api.ts'
import { pathWith } from '../../lib/route.ts'
import type { AgentSession } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Time } from '../../ui/time.tsx'
import { words } from './words.ts'

/** Earlier dialogs with the agent, newest first. */
export function Dialogs({ now }: { now: string | undefined }) {
  const say = useWords(words)
  const { data } = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      (await get<{ sessions: AgentSession[] }>('sessions', undefined, signal)).sessions,
  })
  return (
    <nav className="ask-dialogs" aria-label={say.dialogs}>
      <h2 className="ask-label">{say.dialogs}</h2>
      {data?.length === 0 && <p className="faint">{say.noDialogs}</p>}
      <ul>
        {data?.map(({ id, title, updatedAt, status }) => (
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
                  <span>{status === 'cancelled' ? say['status-cancelled'] : say[status]}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
