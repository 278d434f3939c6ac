/** Where things are on a screen of this size. */
export interface Layout {
  columns: number
  rows: number
  /** `isRoomy` where the snippet stands beside the facts, and the date beside the title. */
  list: { columns: number; rows: number; perChat: number; isRoomy: boolean }
  /** Missing where there is room for the list alone. */
  preview?: { columns: number; rows: number; at: 'beside' | 'below' }
  reader: { columns: number; rows: number }
  /** How many lines there is room for below all else. */
  footer: number
}

export interface Shape {
  columns: number
  rows: number
  hasChips: boolean
  hasWords: boolean
}

const BESIDE_FROM = 100
const BELOW_FROM = 60
/** Title and facts above a preview beside the list, and an empty row. */
const PREVIEW_HEAD = 3
const MARGIN = 2
/** Lines longer than this are hard to read. */
const LONGEST_LINE = 110

export function layoutOf({ columns, rows, hasChips, hasWords }: Shape): Layout {
  const footer = rows >= 8 ? 2 : rows >= 4 ? 1 : 0
  const header = (rows >= 6 ? 2 : 1) + (hasChips ? 1 : 0)
  const body = Math.max(1, rows - header - footer)
  const reader = {
    columns: Math.max(10, Math.min(columns - 2 * MARGIN, LONGEST_LINE)),
    rows: Math.max(1, rows - 3 - footer),
  }
  const whole = { columns, rows, reader, footer }
  if (columns >= BESIDE_FROM) {
    const list = Math.min(64, Math.floor(columns * 0.42))
    const preview = {
      columns: columns - list - 4,
      rows: Math.max(1, body - PREVIEW_HEAD),
      at: 'beside' as const,
    }
    const room = { columns: list, rows: body, perChat: hasWords ? 3 : 2, isRoomy: false }
    return { ...whole, list: room, preview }
  }
  const isRoomy = columns >= BELOW_FROM
  const list = { columns, rows: body, perChat: hasWords && !isRoomy ? 3 : 2, isRoomy }
  if (!isRoomy || body < 14) return { ...whole, list }
  const rowsOfList = Math.max(4, Math.floor(body * 0.42) & ~1)
  const preview = { columns: columns - 2 * MARGIN, rows: body - rowsOfList - 1, at: 'below' as const }
  return { ...whole, list: { ...list, rows: rowsOfList }, preview }
}
