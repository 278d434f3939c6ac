import { panelAt, placedPanel } from './panel.ts'
import { inSight } from './screen.ts'
import { type Action, placeOf, type State, screenOf } from './state.ts'

/** What was done with the mouse, and where. Columns and rows count from 0. */
export interface Mouse {
  does: 'click' | 'wheel up' | 'wheel down'
  column: number
  row: number
}

/** Rows that a turn of the wheel scrolls. */
const TURN = 3

/** Asks the terminal to tell of clicks and the wheel, or no longer. Holding Shift leaves them to the terminal. */
export const MOUSE_ON = '\u001b[?1000h\u001b[?1006h'
export const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l'

/** As terminals tell it in that form (SGR, 1006): the button, the column, the row, and whether it went down. */
const TOLD = /\u001b\[<(\d+);(\d+);(\d+)([Mm])/g
const BUTTONS: Record<string, Mouse['does']> = { 0: 'click', 64: 'wheel up', 65: 'wheel down' }

/** Takes what the terminal tells of the mouse out of what is typed, which Ink would drop; gives it back when called. */
export function withMouse(input: NodeJS.ReadStream, tell: (mouse: Mouse) => void): () => void {
  const read = input.read
  input.read = (size?: number) => {
    const chunk = read.call(input, size)
    return typeof chunk === 'string' ? withoutMouse(chunk, tell) : chunk
  }
  return () => {
    input.read = read
  }
}

/** Other buttons, and letting go, mean nothing. */
export function withoutMouse(typed: string, tell: (mouse: Mouse) => void): string {
  return typed.replace(TOLD, (_, button: string, column: string, row: string, end: string) => {
    const does = BUTTONS[button]
    if (does && end === 'M') tell({ does, column: Number(column) - 1, row: Number(row) - 1 })
    return ''
  })
}

/** What a click or a turn of the wheel asks for, by what is there. */
export function actionsFor(state: State, { does, column, row }: Mouse): Action[] {
  const place = placeOf(state)
  const way = does === 'wheel up' ? -1 : 1
  if (place === 'prompt') return []
  if (place === 'menu' || place === 'help')
    return does === 'click' ? clickOnPanel(state, column, row) : [{ do: 'move', by: way }]
  if (place === 'reader') return does === 'click' ? [] : [{ do: 'scroll', by: way * TURN }]
  const isPreview = inPreview(state, column, row)
  if (does !== 'click') return [isPreview ? { do: 'scroll', by: way * TURN } : { do: 'move', by: way }]
  if (isPreview) return state.focus === 'list' ? [{ do: 'focus' }] : []
  const at = entryAt(state, row)
  if (at === undefined) return []
  return at === state.selected && state.focus === 'list' ? [{ do: 'open' }] : [{ do: 'select', at }]
}

/** An option is chosen by one click; a click beside the menu leaves it. */
function clickOnPanel(state: State, column: number, row: number): Action[] {
  const { panel } = state
  if (!panel || panel.kind === 'prompt') return []
  const at = panelAt(placedPanel(panel, state), column, row)
  if (at === 'outside') return [{ do: 'back' }]
  if (at === 'panel' || panel.kind !== 'menu') return []
  return [{ do: 'move', by: at - panel.selected }, { do: 'submit' }]
}

function inPreview(state: State, column: number, row: number): boolean {
  const { list, preview } = screenOf(state)
  const top = listTop(state)
  if (!preview || row < top) return false
  return preview.at === 'beside' ? column >= list.columns : row >= top + list.rows
}

/** The entry in this row of the screen. */
function entryAt(state: State, row: number): number | undefined {
  const { list } = screenOf(state)
  const line = row - listTop(state)
  const { first, visible } = inSight(state)
  const at = Math.floor(line / list.perChat)
  const isEntry = line >= 0 && at < visible && first + at < (state.found?.entries.length ?? 0)
  return isEntry ? first + at : undefined
}

/** Above it are the search, what narrows it, and a line. */
function listTop(state: State): number {
  const { rows, footer, list, preview } = screenOf(state)
  const below = preview?.at === 'below' ? preview.rows + 1 : 0
  return rows - footer - list.rows - below
}
