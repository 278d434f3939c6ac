import { useLocation } from 'wouter'
import { chatPath, type Params, pathWith, soughtParams } from '../../lib/route.ts'
import type { SearchAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { changesOf, type Filters } from './filters.ts'
import { words } from './words.ts'

interface NextStepsProps {
  answer: SearchAnswer
  filters: Filters
  change: (changes: Params, options?: { push?: boolean }) => void
  onTried: (state: unknown) => void
}

/** What the search itself proposes to do next, each one click away. */
export function NextSteps({ answer, filters, change, onTried }: NextStepsProps) {
  const w = useWords(words)
  const [, navigate] = useLocation()
  const names = { fuzzy: w.useFuzzy, expand: w.useExpand, all: w.useAll, time: w.useWindow, role: w.useRole }
  const steps = answer.guidance.nextActions.flatMap(({ tool, args, why }) => {
    if (tool === 'gather_chats') {
      const ids = chatIdsIn(args)
      // Where two assistants have a chat of one id, the one that is meant is named with its assistant.
      const best = answer.results.filter(
        ({ source, chatId }) => ids.includes(chatId) || ids.includes(`${source}:${chatId}`),
      )
      const first = best[0]
      if (!first) return []
      const to =
        best.length === 1
          ? chatPath(first.source, first.chatId, undefined, filters)
          : pathWith('/compare', {
              chat: best.map(({ source, chatId }) => `${source}:${chatId}`),
              ...soughtParams(filters),
            })
      return [{ name: w.readBest(best.length), why, act: () => navigate(to) }]
    }
    const changes = changesOf(args, filters)
    const names_ = Object.keys(changes).flatMap((key) =>
      key in names ? names[key as keyof typeof names] : [],
    )
    if (names_.length === 0) return []
    const act = () => {
      onTried(args.state)
      change(changes, { push: true })
    }
    return [{ name: names_.join(', '), why, act }]
  })
  if (steps.length === 0) return null
  return (
    <div className="next-steps">
      <span>{w.next}</span>
      {steps.map(({ name, why, act }) => (
        <Button key={name} look="quiet" title={why} onClick={act}>
          {name}
        </Button>
      ))}
    </div>
  )
}

function chatIdsIn(args: Record<string, unknown>): unknown[] {
  return Array.isArray(args.chatIds) ? args.chatIds : []
}
