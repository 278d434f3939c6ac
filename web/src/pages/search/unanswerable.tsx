import type { Problem } from '../../lib/api.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { words } from './empty-words.ts'

interface UnanswerableProps {
  q: string
  problem: Problem
  onAsk: (q: string) => void
}

/** Why these words cannot be searched for, and what can be. */
export default function Unanswerable({ q, problem, onAsk }: UnanswerableProps) {
  const w = useWords(words)
  const isPattern = /^\/.+\/$/s.test(q)
  const excluded = /(?:^|\s)-["\p{L}\p{N}]/u.test(q)
  const instead = isPattern ? `"${q.slice(1, -1)}"` : excluded ? q.replace(/(^|\s)-/g, '$1').trim() : ''
  return (
    <Empty
      icon="search"
      title={isPattern ? w.badPattern : excluded ? w.onlyExcludes : w.noWords}
      actions={
        <>
          {instead !== '' && (
            <Button look="primary" onClick={() => onAsk(instead)}>
              {w.searchInstead(instead)}
            </Button>
          )}
          <Button onClick={() => onAsk('')}>{w.showRecent}</Button>
        </>
      }
    >
      <p>{isPattern ? problem.message : excluded ? w.onlyExcludesText(q) : w.noWordsText}</p>
    </Empty>
  )
}
