import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { get, post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { chatPath, useUrlState } from '../../lib/route.ts'
import type { ChatList, ChatStates } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { words } from './words.ts'

const STATES = ['waiting', 'running', 'failed', 'done', 'cancelled'] as const
const SHOWN = 8

/** Which chats go on, which wait for the person, and how the others ended. Nothing where no assistant tells. */
export function States() {
  const say = useWords(words)
  const { number } = useFormat()
  const { params, change } = useUrlState()
  const counted = useQuery({
    queryKey: ['list', 'states'],
    queryFn: ({ signal }) => get<ChatStates>('states', {}, signal),
  })
  const known = STATES.filter((state) => counted.data?.[state])
  const state = known.find((each) => each === params.get('state')) ?? known[0]
  const listed = useQuery({
    queryKey: ['list', 'states', state],
    queryFn: ({ signal }) => post<ChatList>('list_chats', { status: [state], limit: SHOWN }, signal),
    enabled: state !== undefined,
  })
  const error = counted.error ?? listed.error
  if (error) return <ErrorBox error={error} />
  if (!state) return undefined
  return (
    <section className="dashboard-part" aria-labelledby="states">
      <div className="dashboard-part-head">
        <h2 id="states">{say.sessions}</h2>
        <p className="dashboard-readout">{say.sessionsNote}</p>
      </div>
      <Tabs
        label={say.sessions}
        value={state}
        tabs={known.map((value) => ({
          value,
          label: say[value],
          count: number(counted.data?.[value] ?? 0),
        }))}
        onChange={(next) => change({ state: next === known[0] ? undefined : next })}
      />
      <ul className="dashboard-sessions">
        {(listed.data?.chats ?? []).map(({ source, chatId, title, updatedAt }) => (
          <li key={`${source}:${chatId}`}>
            <SourceBadge source={source} />
            <Link href={chatPath(source, chatId)}>{title}</Link>
            {updatedAt && <Time at={updatedAt} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
