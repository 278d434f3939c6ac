import { columnsOf } from '../paint.ts'

/** A line that is being typed: its characters as people see them, and where the cursor stands among them. */
export interface Field {
  text: string
  cursor: number
}

export type Edit =
  | { insert: string }
  | { erase: 'before' | 'after' | 'word' | 'to start' | 'to end' }
  | { go: 'left' | 'right' | 'start' | 'end' | 'word left' | 'word right' }

const LONGEST = 2_000

export function fieldOf(text: string): Field {
  return { text, cursor: columnsOf(text).length }
}

export function edited({ text, cursor }: Field, edit: Edit): Field {
  const characters = columnsOf(text).map((each) => each.text)
  const field = (before: string[], after: string[]) => ({
    text: [...before, ...after].join(''),
    cursor: columnsOf(before.join('')).length,
  })
  const before = characters.slice(0, cursor)
  const after = characters.slice(cursor)
  if ('insert' in edit) {
    const typed = edit.insert.slice(0, Math.max(0, LONGEST - text.length)).toWellFormed()
    return field([...before, typed], after)
  }
  if ('erase' in edit) {
    if (edit.erase === 'before') return field(before.slice(0, -1), after)
    if (edit.erase === 'after') return field(before, after.slice(1))
    if (edit.erase === 'word') return field(before.slice(0, wordBefore(before)), after)
    return edit.erase === 'to start' ? field([], after) : field(before, [])
  }
  const places = {
    left: Math.max(0, cursor - 1),
    right: Math.min(characters.length, cursor + 1),
    start: 0,
    end: characters.length,
    'word left': wordBefore(before),
    'word right': cursor + wordAfter(after),
  }
  return { text, cursor: places[edit.go] }
}

/** What is seen of the field in so many columns, and in which of them the cursor is. */
export function window({ text, cursor }: Field, columns: number): { text: string; column: number } {
  const characters = columnsOf(text)
  const room = Math.max(1, columns - 1)
  let from = cursor
  let column = 0
  while (from > 0 && column + characters[from - 1]!.columns <= room) column += characters[--from]!.columns
  let shown = ''
  let used = 0
  for (const each of characters.slice(from)) {
    used += each.columns
    if (used > room) break
    shown += each.text
  }
  return { text: shown, column }
}

function wordBefore(before: string[]): number {
  const end = before.findLastIndex((each) => each !== ' ')
  return before.slice(0, Math.max(0, end)).lastIndexOf(' ') + 1
}

function wordAfter(after: string[]): number {
  const start = after.findIndex((each) => each !== ' ')
  const end = start < 0 ? -1 : after.indexOf(' ', start)
  return end < 0 ? after.length : end
}
