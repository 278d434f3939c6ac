import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { get, post } from '../../lib/api.ts'
import type { Overview, SourceReport, SyncState } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { words } from './empty-words.ts'

export default function EmptyArchive({ overview: { guest, sync } }: { overview: Overview }) {
  return guest ? <NothingShared spaces={guest.spaces} /> : <NothingRead sync={sync} />
}

/** Of what others have, only what they share is shown: where they keep it is nobody else's business. */
function NothingShared({ spaces }: { spaces: string[] }) {
  const w = useWords(words)
  return (
    <Empty icon="sources" title={w.nothingShared}>
      <p>{w.nothingSharedText(spaces.join(', '))}</p>
    </Empty>
  )
}

/** Nothing has been read yet: either it is being read just now, or there is nothing to read. */
function NothingRead({ sync }: { sync: SyncState }) {
  const w = useWords(words)
  const queries = useQueryClient()
  const looked = useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => get<{ sources: SourceReport[] }>('sources', undefined, signal),
  })
  const showSample = async () => {
    await post('sample', { on: true })
    await queries.resetQueries()
  }
  const isReading = sync.state === 'starting' || (sync.state === 'reading' && sync.total > 0)
  return (
    <Empty
      icon="sources"
      title={isReading ? w.reading : w.noChats}
      actions={
        <>
          <Button look="primary" onClick={() => void showSample()}>
            {w.showSample}
          </Button>
          <Link className="button button-plain" href="/sources">
            {w.addPlaces}
          </Link>
        </>
      }
    >
      <p>{isReading ? w.readingText : w.noChatsText}</p>
      {!isReading && (
        <ul className="places">
          {looked.data?.sources
            .filter(({ on }) => on)
            .map(({ source, name, looked, found }) => (
              <li key={source} title={found.join('\n')}>
                <SourceBadge source={source} name={name} />
                <span className="faint">{w.places(looked)}</span>
              </li>
            ))}
        </ul>
      )}
    </Empty>
  )
}
