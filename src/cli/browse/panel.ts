import { chips } from './filters.ts'
import { plainLine } from './plain.ts'
import { helpLines, menuLines, menuStart } from './screen.ts'
import { cut, type Line, span } from './spans.ts'
import { optionsOf, type Panel, type State, screenOf } from './state.ts'

/** A menu or the help, in the middle of the screen: what is in it, and where it is. */
export interface PlacedPanel {
  lines: Line[]
  /** Of its first line, counted on the whole screen. */
  row: number
  /** Of its frame, counted below what stays above it. */
  top: number
  left: number
  /** Columns inside of the frame. */
  inner: number
  /** The option in each line, where it has some. */
  options: (number | undefined)[]
}

const MANY = 6
/** The frame and the space inside of it. */
const SIDES = 4

export function placedPanel(panel: Exclude<Panel, { kind: 'prompt' }>, state: State): PlacedPanel {
  const { columns, rows, footer } = screenOf(state)
  const inner = Math.max(10, Math.min(columns - 8, 84))
  const room = Math.max(1, rows - 8)
  const { lines, options } =
    panel.kind === 'menu' ? menuOf(panel, inner, room - 1) : helpOf(panel.top, inner, room)
  const above = state.view === 'reader' ? 0 : (rows >= 6 ? 2 : 1) + (chips(state.filters).length > 0 ? 1 : 0)
  const top = Math.max(0, Math.floor((rows - above - footer - lines.length - 2) / 2))
  const left = Math.max(0, Math.floor((columns - inner - SIDES) / 2))
  return { lines, options, top, left, inner, row: above + top + 1 }
}

type Filled = Pick<PlacedPanel, 'lines' | 'options'>

function menuOf(panel: Extract<Panel, { kind: 'menu' }>, inner: number, rows: number): Filled {
  const hint = panel.options.length > MANY ? 'type to narrow' : ''
  const title = [
    span(`${panel.title}  `, 'strong'),
    panel.typed ? span(plainLine(panel.typed), 'accent') : span(hint, 'faint'),
  ]
  const lines = menuLines(panel, inner, rows)
  const count = optionsOf(panel).length
  const start = menuStart(panel, rows)
  return {
    lines: [cut(title, inner), ...lines],
    options: [undefined, ...lines.map((_, i) => (start + i < count ? start + i : undefined))],
  }
}

function helpOf(from: number, inner: number, rows: number): Filled {
  const help = helpLines(inner)
  const top = Math.max(0, Math.min(from, help.length - rows))
  return { lines: help.slice(top, top + rows), options: [] }
}

/** What a click there means: an option, the panel itself, or all around it. */
export function panelAt(
  { lines, row: first, left, inner, options }: PlacedPanel,
  column: number,
  row: number,
): number | 'panel' | 'outside' {
  const isOutside =
    column < left || column >= left + inner + SIDES || row < first - 1 || row > first + lines.length
  if (isOutside) return 'outside'
  return options[row - first] ?? 'panel'
}
