import { useOverview } from '../lib/overview.ts'
import type { SyncState as State } from '../lib/types.ts'
import { useWords } from '../lib/words.ts'
import { Skeleton } from '../ui/states.tsx'
import { words } from './words.ts'

/** How far the archive is behind what is on disk, in one quiet line. */
export function SyncState() {
  const w = useWords(words)
  const overview = useOverview()
  if (!overview)
    return (
      <div className="sync">
        <Skeleton width="70%" height="0.8em" />
      </div>
    )
  const { archive, sync } = overview
  return (
    <div className="sync" role="status">
      <span className={`sync-dot sync-${toneOf(sync)}`} aria-hidden="true" />
      <span className="sync-text" title={sync.state === 'failed' ? sync.reason : undefined}>
        {sync.state === 'starting' && w.starting}
        {sync.state === 'reading' && w.reading(sync.done, sync.total)}
        {sync.state === 'in step' && w.inStep}
        {sync.state === 'failed' && (archive.readOnly ? w.readOnly : w.failed)}
        {sync.state === 'off' && w.syncOff}
      </span>
      <span className="sync-count">{w.chats(archive.chats)}</span>
    </div>
  )
}

function toneOf({ state }: State): 'busy' | 'good' | 'bad' {
  return state === 'failed' ? 'bad' : state === 'in step' || state === 'off' ? 'good' : 'busy'
}
