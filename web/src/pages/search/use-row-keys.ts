import type { KeyboardEvent, RefObject } from 'react'

/** So many frames are waited for an end of the list to be drawn. */
const PATIENCE = 60

/** Arrow keys that go from result to result, and back to the box; any letter goes on with the query. */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  box: RefObject<HTMLInputElement | null>,
  select: (chat: string) => void,
) {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const go = (row: HTMLElement | undefined) => {
    row?.focus({ preventScroll: true })
    row?.closest('[data-result]')?.scrollIntoView({ block: 'nearest' })
  }
  /** The first or the last is drawn only when it comes in sight. */
  const toEnd = (isLast: boolean) => {
    let frames = 0
    const look = () => {
      const count = Number(list.current?.querySelector<HTMLElement>('[data-count]')?.dataset.count ?? 0)
      const edge = rows().at(isLast ? -1 : 0)
      const at = Number(edge?.closest<HTMLElement>('[data-index]')?.dataset.index)
      if (at === (isLast ? count - 1 : 0) || frames++ >= PATIENCE) return go(edge)
      scrollTo(0, isLast ? document.documentElement.scrollHeight : 0)
      requestAnimationFrame(look)
    }
    look()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const all = rows()
    const here = document.activeElement?.closest('[data-result]')
    const at = all.findIndex((row) => here?.contains(row))
    if (at < 0) return
    if (event.key === 'ArrowDown') go(all[Math.min(at + 1, all.length - 1)])
    else if (event.key === 'ArrowUp' && at === 0) box.current?.focus()
    else if (event.key === 'ArrowUp') go(all[at - 1])
    else if (event.key === 'Home') toEnd(false)
    else if (event.key === 'End') toEnd(true)
    else if (event.key === 'Escape') box.current?.focus()
    else if (event.key === 'x') select(all[at]?.dataset.row ?? '')
    else return
    event.preventDefault()
  }
  return { onKeyDown, toFirst: () => toEnd(false) }
}
