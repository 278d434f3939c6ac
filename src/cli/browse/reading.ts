import type { OpenedChat, ReadMessage } from '../../recall/reader.ts'
import { type Look, mayHold, type Row, rowsOf } from './message.ts'

/** A chat that is being read: some of its messages, one after the other, and where the reader is. */
export interface Reading {
  chat: OpenedChat['chat']
  messages: ReadMessage[]
  top: Place
  /** Where find stands: the row that was found last. */
  match?: Place
}

/** A row: the message's place in its chat, and the row within it. */
export interface Place {
  index: number
  row: number
}

export interface Page {
  rows: Row[]
  /** The message at the bottom. */
  last: number
  /** A message beyond those that are here would be seen. */
  wants?: 'before' | 'after'
}

/** So near to the end of what is here, more is wanted. */
const NEAR = 6

export function pageOf(reading: Reading, look: Look, height: number): Page {
  const rows: Row[] = []
  let { index, row } = reading.top
  for (; rows.length < height; index++, row = 0) {
    const message = messageAt(reading, index)
    if (!message) break
    rows.push(...rowsOf(message, look).slice(row, row + height - rows.length))
  }
  const page = { rows, last: index - 1 }
  if (hasAfter(reading) && index + NEAR > endOf(reading)) return { ...page, wants: 'after' }
  if (hasBefore(reading) && reading.top.index - NEAR < startOf(reading)) return { ...page, wants: 'before' }
  return page
}

/** So many rows down, or up; never past the last page. */
export function scrolled(reading: Reading, by: number, look: Look, height: number): Reading {
  let { index, row } = reading.top
  row += by
  for (let rows = rowCount(reading, index, look); row >= rows && index + 1 < endOf(reading); ) {
    row -= rows
    index++
    rows = rowCount(reading, index, look)
  }
  while (row < 0 && index > startOf(reading)) {
    index--
    row += rowCount(reading, index, look)
  }
  return settled({ ...reading, top: { index, row: Math.max(0, row) } }, look, height)
}

/** Not past the last page: what is read fills the screen if it can. */
export function settled(reading: Reading, look: Look, height: number): Reading {
  const last = lastPage(reading, look, height)
  return isAfter(reading.top, last) ? { ...reading, top: last } : reading
}

/** The row is seen, a third down the screen. */
export function shownAt(reading: Reading, place: Place, look: Look, height: number): Reading {
  return scrolled({ ...reading, top: place }, -Math.floor(height / 3), look, height)
}

/** The first row of a message that holds words that were searched for; else its first. */
export function hitIn(reading: Reading, index: number, look: Look): Place {
  const message = messageAt(reading, index)
  const row = message ? rowsOf(message, look).findIndex((each) => each.hit) : 0
  return { index, row: Math.max(0, row) }
}

/** The next request in this direction. */
export function requestFrom({ messages, top }: Reading, direction: 1 | -1): Place | undefined {
  const isThere = (message: ReadMessage) => isRequest(message) && isThatWay(message)
  const isThatWay = ({ index }: ReadMessage) =>
    direction > 0 ? index > top.index : index < top.index || (index === top.index && top.row > 1)
  const found = direction > 0 ? messages.find(isThere) : messages.findLast(isThere)
  return found && { index: found.index, row: found.index === 0 ? 0 : 1 }
}

/** The first request on the screen. */
export function requestOn({ messages, top }: Reading, page: Page): ReadMessage | undefined {
  const isSeen = ({ index }: ReadMessage) =>
    (index > top.index || (index === top.index && top.row <= 1)) && index <= page.last
  return messages.find((message) => isRequest(message) && isSeen(message))
}

export function isRequest({ kind, undone }: ReadMessage): boolean {
  return kind === 'request' && !undone
}

/** The next row in this direction that holds what `look.find` says, or else words that were searched for. */
export function matchFrom(
  { messages }: Reading,
  from: Place,
  direction: 1 | -1,
  look: Look,
): Place | undefined {
  const { find, words } = look
  if (!find && !words) return undefined
  const ordered = direction > 0 ? messages : messages.toReversed()
  for (const message of ordered) {
    const { index } = message
    if (direction > 0 ? index < from.index : index > from.index) continue
    // Laying a message out takes longer than a look at its text.
    if (find && !mayHold(message, find)) continue
    const rows = rowsOf(message, look).map((row, i) => ({ row: i, found: find ? row.found : row.hit }))
    const match = (direction > 0 ? rows : rows.reverse()).find(
      ({ row, found }) => found && (index !== from.index || (row - from.row) * direction > 0),
    )
    if (match) return { index, row: match.row }
  }
  return undefined
}

export function hasBefore(reading: Reading): boolean {
  return startOf(reading) > 0
}

export function hasAfter(reading: Reading): boolean {
  return endOf(reading) < reading.chat.messageCount
}

export function startOf({ messages }: Reading): number {
  return messages[0]?.index ?? 0
}

export function endOf(reading: Reading): number {
  return startOf(reading) + reading.messages.length
}

function lastPage(reading: Reading, look: Look, height: number): Place {
  let left = height
  for (let index = endOf(reading) - 1; index >= startOf(reading); index--) {
    const rows = rowCount(reading, index, look)
    if (rows >= left) return { index, row: rows - left }
    left -= rows
  }
  return { index: startOf(reading), row: 0 }
}

function messageAt(reading: Reading, index: number): ReadMessage | undefined {
  return reading.messages[index - startOf(reading)]
}

function rowCount(reading: Reading, index: number, look: Look): number {
  const message = messageAt(reading, index)
  return message ? rowsOf(message, look).length : 0
}

function isAfter(a: Place, b: Place): boolean {
  return a.index > b.index || (a.index === b.index && a.row > b.row)
}
