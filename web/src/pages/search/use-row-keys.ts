import type { KeyboardEvent, RefObject } from 'react'

/** Arrow keys that go from result to result, and back to the box; any letter goes on with the query. */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  box: RefObject<HTMLInputElement | null>,
  select: (chat: string) => void,
) {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const go = (to: number) => {
    const row = rows()[to]
    if (row) {
      row.focus({ preventScroll: true })
      row.closest('[data-result]')?.scrollIntoView({ block: 'nearest' })
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const all = rows()
    const here = document.activeElement?.closest('[data-result]')
    const at = all.findIndex((row) => here?.contains(row))
    if (at < 0) return
    if (event.key === 'ArrowDown') go(Math.min(at + 1, all.length - 1))
    else if (event.key === 'ArrowUp' && at === 0) box.current?.focus()
    else if (event.key === 'ArrowUp') go(at - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(all.length - 1)
    else if (event.key === 'Escape') box.current?.focus()
    else if (event.key === 'x') select(all[at]?.dataset.row ?? '')
    else return
    event.preventDefault()
  }
  return { onKeyDown, toFirst: () => go(0) }
}
