import { Box, Text, type TextProps, useCursor, useInput, usePaste, useWindowSize } from 'ink'
import {
  createContext,
  createElement as h,
  type ReactNode,
  use,
  useEffect,
  useSyncExternalStore,
} from 'react'
import { width } from '../paint.ts'
import type { Browser } from './browser.ts'
import { type Field, window } from './field.ts'
import { chips } from './filters.ts'
import { oneLine, pressed } from './keys.ts'
import { placedPanel } from './panel.ts'
import {
  chatLines,
  factsOf,
  footerLine,
  listLines,
  shortFacts,
  statusLine,
  titleLine,
  whereIn,
} from './screen.ts'
import { apart, cut, type Line, span, type Tone, widthOf } from './spans.ts'
import { type Panel, placeOf, type State, screenOf } from './state.ts'

type Theme = Record<Tone, TextProps>
type ShownPanel = Exclude<Panel, { kind: 'prompt' }>

const Look = createContext<Theme | undefined>(undefined)

/** The whole screen. */
export function App({ browser, theme }: { browser: Browser; theme: Theme }): ReactNode {
  const state = useSyncExternalStore(browser.subscribe, () => browser.state)
  const { columns, rows } = useWindowSize()
  useEffect(() => {
    if (columns !== browser.state.size.columns || rows !== browser.state.size.rows)
      browser.do({ do: 'resized', columns, rows })
  }, [browser, columns, rows])
  useInput((input, key) => {
    for (const press of pressed(input, key)) browser.press(press)
  })
  usePaste((text) => browser.do({ do: 'edit', edit: { insert: oneLine(text) } }))
  return h(
    Look,
    { value: theme },
    h(
      Box,
      { flexDirection: 'column', width: state.size.columns, height: state.size.rows, overflow: 'hidden' },
      h(state.view === 'reader' ? Reader : Search, { state }),
      h(Footer, { state }),
    ),
  )
}

function Search({ state }: { state: State }): ReactNode {
  const { columns, rows, preview, list } = screenOf(state)
  const labels = chips(state.filters)
  const body =
    state.panel && state.panel.kind !== 'prompt' ? h(PanelBox, { panel: state.panel, state }) : undefined
  return h(
    Box,
    { flexDirection: 'column', flexGrow: 1, overflow: 'hidden' },
    h(Input, { lead: ' ❯ ', field: state.query, row: 0, columns, isActive: placeOf(state) === 'list' }),
    labels.length > 0 && h(Row, { line: chipLine(labels, columns) }),
    rows >= 6 && h(Row, { line: rule('', columns) }),
    body ??
      h(
        Box,
        { flexDirection: preview?.at === 'beside' ? 'row' : 'column', flexGrow: 1, overflow: 'hidden' },
        h(Rows, { lines: listLines(state), columns: list.columns, rows: list.rows }),
        preview?.at === 'beside' && h(Beside, { state }),
        preview?.at === 'below' && h(Below, { state }),
      ),
  )
}

function Beside({ state }: { state: State }): ReactNode {
  const { preview } = screenOf(state)
  const { reading } = state
  if (!preview || !reading) return undefined
  const isFocused = state.focus === 'preview'
  return h(
    Box,
    {
      flexDirection: 'column',
      flexGrow: 1,
      paddingLeft: 1,
      borderStyle: 'single',
      borderTop: false,
      borderBottom: false,
      borderRight: false,
      borderDimColor: !isFocused,
      ...(isFocused && { borderColor: 'magenta' }),
    },
    h(Row, { line: titleLine(reading, preview.columns, state.found?.words?.in) }),
    h(Row, {
      line: apart([span(factsOf(reading), 'faint')], [span(whereIn(state), 'faint')], preview.columns),
    }),
    h(Row, { line: [] }),
    h(Rows, { lines: chatLines(state), ...preview }),
  )
}

function Below({ state }: { state: State }): ReactNode {
  const { preview, columns } = screenOf(state)
  const { reading } = state
  if (!preview) return undefined
  return h(
    Box,
    { flexDirection: 'column', flexGrow: 1 },
    h(Row, {
      line: rule(reading ? shortFacts(reading) : '', columns, state.focus === 'preview', whereIn(state)),
    }),
    h(Box, { paddingLeft: 2 }, h(Rows, { lines: chatLines(state), ...preview })),
  )
}

function Reader({ state }: { state: State }): ReactNode {
  const { reader, columns } = screenOf(state)
  const { reading } = state
  if (!reading) return undefined
  if (state.panel && state.panel.kind !== 'prompt') return h(PanelBox, { panel: state.panel, state })
  const title = titleLine(reading, columns - 20, state.found?.words?.in)
  return h(
    Box,
    { flexDirection: 'column', flexGrow: 1, overflow: 'hidden' },
    h(Row, { line: [span('  '), ...apart(title, [span(whereIn(state), 'faint')], columns - 4)] }),
    h(Row, { line: [span('  '), ...cut([span(factsOf(reading), 'faint')], columns - 4)] }),
    h(Row, { line: rule('', columns) }),
    h(Box, { paddingLeft: 2 }, h(Rows, { lines: chatLines(state), ...reader })),
  )
}

/** A menu or the help, over what is there. */
function PanelBox({ panel, state }: { panel: ShownPanel; state: State }): ReactNode {
  const { lines, top, left, inner } = placedPanel(panel, state)
  return h(
    Box,
    { flexDirection: 'column', flexGrow: 1, paddingTop: top, paddingLeft: left, overflow: 'hidden' },
    h(
      Box,
      {
        flexDirection: 'column',
        flexShrink: 0,
        borderStyle: 'round',
        borderDimColor: true,
        paddingX: 1,
        width: inner + 4,
      },
      ...lines.map((line, key) => h(Row, { key, line })),
    ),
  )
}

/** What is going on, and below it the keys. */
function Footer({ state }: { state: State }): ReactNode {
  const { columns, rows, footer } = screenOf(state)
  const { panel, notice } = state
  if (panel?.kind === 'prompt') {
    const said = notice ? statusLine(state, columns - 2) : footerLine(state, columns - 2)
    return h(
      Box,
      { flexDirection: 'column' },
      h(Input, {
        lead: ` ${panel.title}: `,
        field: panel.field,
        row: rows - Math.max(1, footer),
        columns,
        isActive: true,
      }),
      footer > 1 && h(Row, { line: [span(' '), ...said] }),
    )
  }
  return h(
    Box,
    { flexDirection: 'column' },
    footer > 1 && h(Row, { line: [span(' '), ...statusLine(state, columns - 2)] }),
    footer > 0 &&
      h(Row, {
        line: [span(' '), ...(footer === 1 && notice ? statusLine : footerLine)(state, columns - 2)],
      }),
  )
}

/** A line to type in, with the terminal's own cursor in it. */
function Input(props: {
  lead: string
  field: Field
  row: number
  columns: number
  isActive: boolean
}): ReactNode {
  const { lead, field, row, columns, isActive } = props
  const { setCursorPosition } = useCursor()
  const { text, column } = window(field, columns - width(lead) - 1)
  setCursorPosition(isActive ? { x: width(lead) + column, y: row } : undefined)
  const hint = field.text === '' && row === 0 ? [span('Search your chats', 'faint')] : [span(text)]
  return h(Row, { line: [span(lead, 'accent'), ...hint] })
}

function Rows({ lines, columns, rows }: { lines: Line[]; columns: number; rows: number }): ReactNode {
  return h(
    Box,
    { flexDirection: 'column', width: columns, height: rows, flexShrink: 0, overflow: 'hidden' },
    lines.slice(0, rows).map((line, key) => h(Row, { key, line })),
  )
}

function Row({ line }: { line: Line }): ReactNode {
  const theme = use(Look)
  const spans = line.length > 0 ? line : [span(' ')]
  return h(
    Text,
    { wrap: 'truncate-end' },
    spans.map(({ text, tone }, key) => h(Text, { key, ...theme?.[tone] }, text)),
  )
}

function chipLine(labels: string[], columns: number): Line {
  const line = labels.flatMap((label) => [span(' '), span(`[${label}]`, 'accent')])
  return cut([span('  '), ...line], columns)
}

function rule(title: string, columns: number, isFocused = false, end = ''): Line {
  const tone: Tone = isFocused ? 'accent' : 'faint'
  const right = end ? [span(` ${end} `, 'faint'), span('──', tone)] : []
  const left = title ? cut([span(` ${title} `, 'faint')], columns - 6 - widthOf(right)) : []
  const room = columns - 2 - widthOf(left) - widthOf(right)
  return [span('──', tone), ...left, span('─'.repeat(Math.max(0, room)), tone), ...right]
}
