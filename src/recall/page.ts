import { RecollectError } from '../model/errors.ts'
import type { AgentMessage } from './agent-message.ts'
import { cutAt } from './preview.ts'

/** Where an answer that did not fit goes on: at which of the items, and how far into its text. */
export interface Place {
  item: number
  offset: number
}

/** A text is only begun where there is room for so much of it. */
const LEAST_PART = 1_500

/** As many items as fit into so many characters of JSON; where to go on, if there are more. */
export function fitted<T extends AgentMessage>(
  count: number,
  itemAt: (item: number) => T,
  from: Place,
  room: number,
): { items: T[]; next?: Place } {
  const items: T[] = []
  let left = room
  for (let item = from.item; item < count; item++) {
    const offset = item === from.item ? from.offset : 0
    const whole = itemAt(item)
    const rest = offset > 0 ? part(whole, offset, whole.content.length) : whole
    const size = sizeOf(rest)
    if (size <= left) {
      items.push(rest)
      left -= size
      continue
    }
    if (items.length > 0 && left < LEAST_PART) return { items, next: { item, offset } }
    const begun = beginning(whole, offset, left)
    items.push(begun.item)
    return begun.end < whole.content.length
      ? { items, next: { item, offset: begun.end } }
      : { items, ...(item + 1 < count && { next: { item: item + 1, offset: 0 } }) }
  }
  return { items }
}

function beginning<T extends AgentMessage>(whole: T, offset: number, room: number): { item: T; end: number } {
  const { length } = whole.content
  let most = Math.min(length - offset, Math.max(100, room))
  for (;;) {
    const end = offset + cutAt(whole.content.slice(offset), most).length
    const item = part(whole, offset, end)
    const over = sizeOf(item) - room
    // Not even its frame fits: one item is given all the same, or no call would ever get past it.
    if (over <= 0 || most <= 100) return { item, end: Math.max(end, Math.min(length, offset + 1)) }
    most = Math.max(100, most - Math.max(over, 10))
  }
}

/** Tools stand with the first part of a message only. */
function part<T extends AgentMessage>(whole: T, from: number, to: number): T {
  const { tools, ...rest } = whole
  return {
    ...rest,
    content: whole.content.slice(from, to),
    ...(from === 0 && tools && { tools }),
    part: { from, of: whole.content.length },
  } as T
}

export function sizeOf(value: unknown): number {
  return (JSON.stringify(value)?.length ?? 0) + 1
}

export function cursorOf({ item, offset }: Place): string {
  return `${item}.${offset}`
}

export function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { item: 0, offset: 0 }
  const found = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor)
  if (found) return { item: Number(found[1]), offset: Number(found[2]) }
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${cursor}" is not a cursor of this answer.`,
    'Pass the cursor of the previous answer unchanged, or none to start from the first page.',
  )
}
