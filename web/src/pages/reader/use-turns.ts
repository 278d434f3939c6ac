import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { ChatDetails, Found, Steps } from '../../lib/types.ts'

/** A line of the outline: a request, or what was said in a long turn that is open. */
export interface Line {
  index: number
  preview: string
  /** Of a request: its number. */
  n?: number
  /** Of a long turn: how many messages it has, and whether its steps are listed. */
  turn?: { messages: number; isOpen: boolean; isLoading: boolean }
}

/** So many messages can be scrolled past. */
const LONG = 30
/** Of so few requests, what is in their turns is the outline. */
const FEW = 3

/** The outline of a chat: its requests, and on demand what was said in each of the long turns after them. */
export function useTurns(
  id: string,
  details: ChatDetails,
): { lines: Line[]; toggle: (index: number) => void } {
  const turns = useMemo(() => turnsOf(details), [details])
  const [toggled, setToggled] = useState<readonly number[]>([])
  const open = useMemo(
    () =>
      turns.filter(
        ({ index, messages }) => messages > LONG && turns.length <= FEW !== toggled.includes(index),
      ),
    [turns, toggled],
  )
  const said = useQueries({
    queries: open.map(({ index, messages }) => ({
      queryKey: ['chat', id, 'steps', index, messages],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get<Steps>(chatApi(id, 'steps'), { from: index + 1, to: index + messages - 1 }, signal),
    })),
    combine: (answers) => answers.map(({ data, isPending }) => ({ steps: data?.steps ?? [], isPending })),
  })
  const lines = useMemo(
    () =>
      turns.flatMap(({ messages, ...line }): Line[] => {
        const at = open.findIndex(({ index }) => index === line.index)
        const shown = { messages, isOpen: at >= 0, isLoading: said[at]?.isPending ?? false }
        return [{ ...line, ...(messages > LONG && { turn: shown }) }, ...(said[at]?.steps ?? [])]
      }),
    [turns, open, said],
  )
  const toggle = (index: number) =>
    setToggled(toggled.includes(index) ? toggled.filter((each) => each !== index) : [...toggled, index])
  return { lines, toggle }
}

interface Turn {
  index: number
  preview: string
  n?: number
  messages: number
}

/** From each request to the next; what is before the first one as well, where that is much. */
function turnsOf({ requests, chat }: ChatDetails): Turn[] {
  const before = requests[0]?.index ?? chat.messageCount
  const all = before > LONG ? [{ index: 0, preview: '', n: undefined }, ...requests] : requests
  return all.map(({ index, preview, n }, i) => ({
    index,
    preview,
    n,
    messages: (all[i + 1]?.index ?? chat.messageCount) - index,
  }))
}

/** How often the words are found from each line to the next, by the line's place. */
export function hitsByLine(lines: Line[], hits: Found['hits']): Map<number, number> {
  const counts = new Map<number, number>()
  let at = 0
  for (const { index, count } of hits) {
    while (at + 1 < lines.length && (lines[at + 1]?.index ?? 0) <= index) at++
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  return counts
}
