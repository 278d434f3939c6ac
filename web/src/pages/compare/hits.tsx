import { useQueries } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { get } from '../../lib/api.ts'
import { useKeys } from '../../lib/keys.ts'
import { chatApi, type Sought } from '../../lib/route.ts'
import { matchesIn, showRanges, wordsPattern } from '../../lib/show-found.ts'
import type { Found } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { words } from './words.ts'

export interface Hits {
  /** What is marked; nothing where nothing was searched for. */
  pattern: RegExp | undefined
  at: number
  count: number
  step: (by: 1 | -1) => void
}

/** What was searched for, marked wherever it is in these chats; `n` and `N` go from one to the next. */
export function useHits(root: RefObject<HTMLElement | null>, chats: string[], sought: Sought): Hits {
  const { q } = sought
  const [ranges, setRanges] = useState<Range[]>([])
  const [at, setAt] = useState(0)
  const written = useQueries({
    queries: chats.map((chat) => ({
      queryKey: ['chat', chat, 'find', { ...sought, as: 'search' }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get<Found>(chatApi(chat, 'find'), { ...sought, as: 'search' }, signal),
      enabled: q !== '',
    })),
    combine: (answers) => [...new Set(answers.flatMap(({ data }) => data?.words ?? []))].sort().join('\n'),
  })
  const pattern = useMemo(
    () => (q === '' || written === '' ? undefined : wordsPattern(written.split('\n'), true)),
    [q, written],
  )
  useEffect(() => {
    const element = root.current
    if (!element || !pattern) return setRanges([])
    // What is folded away comes and goes.
    const look = () => setRanges(matchesIn(element, pattern))
    const watch = new MutationObserver(look)
    watch.observe(element, { childList: true, characterData: true, subtree: true })
    look()
    return () => watch.disconnect()
  }, [root, pattern])
  const now = ranges.length === 0 ? -1 : at % ranges.length
  useEffect(() => showRanges(ranges, ranges[now]), [ranges, now])
  const step = (by: 1 | -1) => {
    const next = (now + by + ranges.length) % Math.max(1, ranges.length)
    setAt(next)
    ranges[next]?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }
  useKeys({ n: () => step(1), 'shift+n': () => step(-1) }, pattern !== undefined)
  return { pattern, at: now + 1, count: ranges.length, step }
}

export function HitsBar({ hits, onClose }: { hits: Hits; onClose: () => void }) {
  const say = useWords(words)
  const { close } = useWords(uiWords)
  const { at, count, step } = hits
  return (
    <search className="compare-hits" aria-label={say.hits}>
      <span role="status">{say.hitAt(at, count)}</span>
      <IconButton icon="up" label={say.previousHit} disabled={count === 0} onClick={() => step(-1)} />
      <IconButton icon="down" label={say.nextHit} disabled={count === 0} onClick={() => step(1)} />
      <IconButton icon="close" label={close} onClick={onClose} />
    </search>
  )
}
