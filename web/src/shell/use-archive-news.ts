import { useEffect, useRef } from 'react'
import { answers } from '../lib/answers.ts'
import { useLive } from '../lib/live.ts'
import type { Overview, SyncState } from '../lib/types.ts'
import { useWords } from '../lib/words.ts'
import { toast } from '../ui/toast.tsx'
import { words } from './words.ts'

const PAUSE_MS = 1_000
/** Projects and people are seldom new, and counting them takes some time where there are so many chats. */
const MANY_CHATS = 5_000
const LONG_PAUSE_MS = 30_000

/** Keeps what is shown in step with the archive: the sync's state as it changes, new chats as they come. */
export function useArchiveNews(): void {
  const w = useWords(words)
  const refreshShown = usePaused(
    () => askAgain('overview', 'list', 'search', 'sources'),
    () => PAUSE_MS,
  )
  const refreshPlaces = usePaused(() => askAgain('places'), placesPauseMs)
  const refresh = () => {
    refreshShown()
    refreshPlaces()
  }
  const sync = (told: unknown) => {
    const state = told as SyncState
    const known = answers.getQueryData<Overview>(['overview'])
    answers.setQueryData<Overview>(['overview'], known && { ...known, sync: state })
    // What came between the answer and this connection was told to nobody.
    if (known?.sync?.state !== state.state) refresh()
  }
  const changed = (told: unknown) => {
    if ((told as { replaced?: true }).replaced) toast(w.replaced)
    refresh()
  }
  useLive('live', { sync, changed }, refresh)
}

function placesPauseMs(): number {
  const { chats = 0 } = answers.getQueryData<Overview>(['overview'])?.archive ?? {}
  return chats > MANY_CHATS ? LONG_PAUSE_MS : PAUSE_MS
}

/** What is on the page stays there until the new answer is in. */
function askAgain(...names: string[]): void {
  for (const name of names) void answers.invalidateQueries({ queryKey: [name] })
}

/** At once, then at most once in a while: an assistant at work writes several times a second. */
function usePaused(act: () => void, pauseMs: () => number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const again = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const run = () => {
    if (timer.current) {
      again.current = true
      return
    }
    act()
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (again.current) run()
      again.current = false
    }, pauseMs())
  }
  return run
}
