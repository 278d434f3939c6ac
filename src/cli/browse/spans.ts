import { columnsOf, width } from '../paint.ts'

/** What a piece of text is; the theme says how that looks. */
export type Tone =
  | 'text'
  | 'strong'
  | 'faint'
  | 'accent'
  | 'you'
  | 'assistant'
  | 'code'
  | 'tool'
  | 'bad'
  | 'good'
  /** A word that was searched for, and what find found. */
  | 'hit'
  | 'found'

export interface Span {
  text: string
  tone: Tone
}

export type Line = Span[]
export type Range = [start: number, end: number]

export function span(text: string, tone: Tone = 'text'): Span {
  return { text, tone }
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('')
}

export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + width(text), 0)
}

/** The line with these places of it in another tone. */
export function marked(line: Line, ranges: Range[], tone: Tone): Line {
  if (ranges.length === 0) return line
  const result: Line = []
  let at = 0
  for (const { text, tone: own } of line) {
    let done = 0
    for (const [start, end] of ranges) {
      const from = Math.max(start - at, done)
      const to = Math.min(end - at, text.length)
      if (from >= to) continue
      result.push(span(text.slice(done, from), own), span(text.slice(from, to), tone))
      done = to
    }
    result.push(span(text.slice(done), own))
    at += text.length
  }
  return result.filter(({ text }) => text !== '')
}

/** The line in lines of at most so many columns, broken between words where that is possible. */
export function wrapped(line: Line, columns: number): Line[] {
  if (widthOf(line) <= columns) return [line]
  const cells = line.flatMap(({ text, tone }) => columnsOf(text).map((cell) => ({ ...cell, tone })))
  const lines: Line[] = []
  let start = 0
  while (start < cells.length) {
    let [end, used, breakAt] = [start, 0, -1]
    while (end < cells.length && used + cells[end]!.columns <= columns) {
      used += cells[end]!.columns
      end++
      if (mayBreak(cells[end - 1], cells[end])) breakAt = end
    }
    // A sign wider than all there is room for stands alone, or this would never end.
    if (end === start) end++
    const cut = end === cells.length || isSpace(cells[end]) ? end : breakAt > start ? breakAt : end
    lines.push(joined(trimmed(cells.slice(start, cut))))
    start = cut
    while (isSpace(cells[start])) start++
  }
  return lines
}

/** The line cut to so many columns. */
export function cut(line: Line, columns: number): Line {
  if (widthOf(line) <= columns) return line
  const result: Line = []
  let left = columns - 1
  for (const { text, tone } of line) {
    let kept = ''
    for (const cell of columnsOf(text)) {
      left -= cell.columns
      if (left < 0) return [...result, span(`${kept}…`, tone)]
      kept += cell.text
    }
    result.push(span(kept, tone))
  }
  return result
}

/** The two at either end of so many columns; what is at the left gives way. */
export function apart(left: Line, right: Line, columns: number): Line {
  const room = columns - widthOf(right)
  if (room < 4) return cut(left, columns)
  const fitted = cut(left, right.length > 0 ? room - 2 : room)
  return [...fitted, span(' '.repeat(Math.max(0, room - widthOf(fitted)))), ...right]
}

interface Cell {
  text: string
  columns: number
  tone: Tone
}

function mayBreak(before: Cell | undefined, after: Cell | undefined): boolean {
  if (!before || !after) return true
  return isSpace(before) || before.columns === 2 || after.columns === 2 || /[-/\\]/.test(before.text)
}

function isSpace(cell: Cell | undefined): boolean {
  return cell?.text === ' '
}

function trimmed(cells: Cell[]): Cell[] {
  const last = cells.findLastIndex((cell) => !isSpace(cell))
  return cells.slice(0, last + 1)
}

function joined(cells: Cell[]): Line {
  const line: Line = []
  for (const { text, tone } of cells) {
    const last = line.at(-1)
    if (last?.tone === tone) last.text += text
    else line.push(span(text, tone))
  }
  return line
}
