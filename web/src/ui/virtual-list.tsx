import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import './virtual-list.css'

interface VirtualListProps<Item> {
  /** A list of a fixed order, as results by rank, is one with numbers. */
  as: 'ul' | 'ol'
  items: Item[]
  keyOf: (item: Item) => string
  /** In pixels, until it has been drawn. */
  heightOf: (item: Item, at: number) => number
  /** More come while somebody scrolls: how many there will be is not known. */
  isOpen?: boolean
  children: (item: Item, at: number) => ReactNode
}

/** Drawn beyond the window, both ways: the arrow keys always find the next. */
const AROUND = 8

/**
 * A long list in the page's own scrolling, of which only what is in sight is drawn. Each item says which it is of how
 * many, so that who listens instead of looking knows. The first is always there, and so is where the focus is.
 */
export function VirtualList<Item>({
  as: List,
  items,
  keyOf,
  heightOf,
  isOpen,
  children,
}: VirtualListProps<Item>) {
  const list = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState(-1)
  // What stands above may come later, or take another line.
  useLayoutEffect(() => {
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (now !== top) setTop(now)
  })
  const virtual = useWindowVirtualizer({
    count: items.length,
    scrollMargin: top,
    estimateSize: (at) => heightOf(items[at] as Item, at),
    getItemKey: (at) => keyOf(items[at] as Item),
    overscan: AROUND,
    useFlushSync: false,
    rangeExtractor(range) {
      const kept = [0, focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < items.length)
      return [...new Set([...(focused < 0 ? [0] : kept), ...defaultRangeExtractor(range)])].sort(
        (a, b) => a - b,
      )
    },
  })
  const follow = (element: Element | null) => {
    const at = element?.closest('[data-index]')?.getAttribute('data-index')
    setFocused(at ? Number(at) : -1)
  }
  return (
    <List
      ref={list as never}
      className="virtual-list"
      data-count={items.length}
      style={{ height: virtual.getTotalSize() }}
      onFocus={(event) => follow(event.target)}
      onBlur={(event) => follow(event.relatedTarget)}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={isOpen ? -1 : items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - top}px)` }}
        >
          {children(items[index] as Item, index)}
        </li>
      ))}
    </List>
  )
}
