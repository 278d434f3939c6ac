import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { memo, type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { ChatDetails, ShownMessage } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/states.tsx'
import { trying } from '../../ui/toast.tsx'
import { Message } from './message.tsx'
import { isHidden, rowsOf } from './rows.ts'
import { PAGE, useMessages } from './use-messages.ts'
import { wholeMessage } from './whole-message.ts'
import { words } from './words.ts'

export interface MessageListHandle {
  goTo: (index: number) => void
  /** The first message in sight. */
  top: () => number
}

interface MessageListProps {
  ref: Ref<MessageListHandle>
  chat: string
  details: ChatDetails
  reveal: boolean
  /** What is marked: folded parts that hold it open, of all messages or of the one that one has come to. */
  find: RegExp | undefined
  findNow: number | undefined
  opensAll: boolean
  allOpen: boolean
  /** Only these messages, by their indexes; all without it. */
  focus: number[] | undefined
  /** Chosen to be copied or exported. */
  range: Range | undefined
  onPick: (index: number) => void
  /** The first message in sight, told as it changes. */
  onTop: (index: number) => void
}

/** Close enough to the end to be kept there when more comes. */
const NEAR_END = 120

/** A chat of any length: only what is in sight is there. */
export const MessageList = memo(function MessageList({
  ref,
  chat,
  details,
  reveal,
  find,
  findNow,
  opensAll,
  allOpen,
  focus,
  range,
  onPick,
  onTop,
}: MessageListProps) {
  const w = useWords(words)
  const { messageCount: total, workspace } = details.chat
  const scroller = useRef<HTMLElement>(null)
  const [openRuns, setOpenRuns] = useState<ReadonlySet<number>>(new Set())
  const [target, setTarget] = useState<number>()
  const [isAtEnd, setAtEnd] = useState(false)
  // They stay whole when the chat goes on and its pages are fetched again.
  const [asWhole] = useState(() => new Set<number>())

  const indexAt = (row: number) => (focus ? (focus[row] ?? 0) : row)
  const virtual = useVirtualizer({
    count: focus ? focus.length : total,
    getScrollElement: () => scroller.current,
    getItemKey: indexAt,
    estimateSize: (row) => estimate(details.sizes?.[indexAt(row)]),
    overscan: 4,
    paddingEnd: 48,
    scrollPaddingStart: 12,
    useFlushSync: false,
    onChange: (list) => {
      const offset = list.scrollOffset ?? 0
      onTop(indexAt(topOf(list)))
      setAtEnd(offset + (list.scrollRect?.height ?? 0) >= list.getTotalSize() - NEAR_END)
    },
  })
  const items = virtual.getVirtualItems()
  const loaded = useMessages(
    chat,
    total,
    items.map((item) => indexAt(item.index)),
    reveal,
    asWhole,
  )
  const rows = useMemo(() => rowsOf(loaded, openRuns), [loaded, openRuns])

  useImperativeHandle(ref, () => ({
    goTo: setTarget,
    top: () => indexAt(topOf(virtual)),
  }))

  // Where something leads to is known in full only when it is loaded: a tool's result stands with its call.
  const goal = target === undefined ? undefined : loaded.ownerOf(Math.min(target, total - 1))
  const hit = findNow === undefined ? undefined : loaded.ownerOf(findNow)
  const isReady = goal !== undefined && loaded.at(goal) !== undefined
  useEffect(() => {
    if (goal === undefined) return
    virtual.scrollToIndex(focus ? rowIn(focus, goal) : goal, { align: 'start' })
    if (!isReady) return
    const done = setTimeout(() => setTarget(undefined), SHOWN_MS)
    return () => clearTimeout(done)
  }, [goal, isReady, virtual, focus])

  const known = useRef(total)
  useEffect(() => {
    if (total > known.current && isAtEnd) virtual.scrollToIndex(virtual.options.count - 1, { align: 'end' })
    known.current = total
  }, [total, isAtEnd, virtual])

  const whole = useWhole(chat, reveal, asWhole)
  const numbers = useMemo(
    () => new Map(details.requests.map(({ index, n }) => [index, n])),
    [details.requests],
  )
  const toggleRun = useCallback((index: number) => setOpenRuns((open) => toggled(open, index)), [])
  return (
    <div className="messages-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section ref={scroller} className="messages" tabIndex={0} aria-label={details.chat.title}>
        <div className="messages-inside" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index: row, start }) => {
            const index = indexAt(row)
            const message = loaded.at(index)
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={row}
                data-message={index}
                className={classes(
                  'row',
                  index === goal && isReady && 'row-target',
                  index === hit && 'row-hit',
                  range && index >= range.from && index <= range.to && 'row-picked',
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                {!message ? (
                  <div className="row-waiting" style={{ height: estimate(details.sizes?.[index]) }}>
                    <Skeleton width="40%" height="0.8em" />
                    <Skeleton width="85%" height="0.8em" />
                  </div>
                ) : (
                  <Row
                    message={message}
                    rows={rows}
                    number={numbers.get(index)}
                    folder={workspace}
                    find={opensAll || index === hit ? find : undefined}
                    allOpen={allOpen}
                    isFocused={focus !== undefined}
                    onPick={onPick}
                    onRun={toggleRun}
                    onWhole={whole}
                  />
                )}
              </div>
            )
          })}
        </div>
      </section>
      {!isAtEnd && total > 0 && (
        <IconButton
          className="to-end"
          icon="down"
          label={w.toEnd}
          onClick={() => virtual.scrollToIndex(virtual.options.count - 1, { align: 'end' })}
        />
      )}
    </div>
  )
})

/** Messages from one to another, both included. */
export interface Range {
  from: number
  to: number
}

/** The row of a message, or of the one before it that is shown. */
function rowIn(focus: number[], index: number): number {
  return Math.max(
    0,
    focus.findLastIndex((each) => each <= index),
  )
}

/** The first row in sight. */
function topOf(list: Virtualizer<HTMLElement, Element>): number {
  const offset = list.scrollOffset ?? 0
  return list.getVirtualItems().find((item) => item.end > offset + 24)?.index ?? 0
}

/** For so long it is shown where a link or a key led to. */
const SHOWN_MS = 2_500

interface RowProps {
  message: ShownMessage
  rows: ReturnType<typeof rowsOf>
  number?: number
  folder?: string
  find: RegExp | undefined
  allOpen: boolean
  isFocused: boolean
  onPick: (index: number) => void
  onRun: (index: number) => void
  onWhole: (index: number) => void
}

const Row = memo(function Row(props: RowProps) {
  const { message, rows, number, folder, find, allOpen, isFocused, onPick, onRun, onWhole } = props
  const w = useWords(words)
  const { index } = message
  if (!isFocused && rows.isElsewhere(index)) return null
  const run = rows.runAt(index)
  return (
    <>
      {run !== undefined && (
        <button type="button" className="hidden-run" aria-expanded={run.open} onClick={() => onRun(index)}>
          {w.hidden(run.length)}
        </button>
      )}
      {(run === undefined || run.open) && (
        <Message
          message={message}
          isFirst={isFocused || rows.isFirst(index)}
          isFocused={isFocused}
          onPick={onPick}
          request={number}
          resultOf={rows.resultOf}
          folder={folder}
          find={find}
          allOpen={allOpen || isHidden(message)}
          onWhole={onWhole}
        />
      )}
    </>
  )
})

/** Fetches one message in full and puts it in the place of the cut one. */
function useWhole(chat: string, reveal: boolean, asWhole: Set<number>) {
  const queries = useQueryClient()
  return useCallback(
    (index: number) =>
      trying(async () => {
        const message = await wholeMessage(chat, index, reveal)
        asWhole.add(index)
        queries.setQueryData<{ messages: ShownMessage[] }>(
          ['chat', chat, 'messages', Math.floor(index / PAGE), reveal],
          (page) =>
            page && { messages: page.messages.map((each) => (each.index === index ? message : each)) },
        )
      }),
    [chat, reveal, asWhole, queries],
  )
}

/** About how high a message of so many characters will be: good enough for the scroll bar. */
function estimate(chars = 400): number {
  return 36 + Math.min(900, Math.ceil(chars / 85) * 25)
}

function toggled(set: ReadonlySet<number>, value: number): ReadonlySet<number> {
  return set.has(value) ? new Set([...set].filter((each) => each !== value)) : new Set([...set, value])
}
