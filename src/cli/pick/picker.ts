import { emitKeypressEvents, type Key } from 'node:readline'
import { edited, type Field, fieldOf, window } from '../browse/field.ts'
import { actionFor, oneLine, type Press } from '../browse/keys.ts'
import { reasonOf } from '../browse/library.ts'
import { plainLine } from '../browse/plain.ts'
import { EXIT } from '../errors.ts'
import { dateTime } from '../format.ts'
import { fit, pad, width } from '../paint.ts'
import type { Item, Items } from './items.ts'

export interface Picked {
  code: number
  text?: string
}

/** Between two keys of somebody who types fast. */
const SEARCH_AFTER_MS = 60
const FOOTER = ' Enter puts it on the command line   ↑ ↓ choose   Esc leave'
const LEAD = ' ❯ '

interface State {
  query: Field
  /** Nothing while the first are looked for. */
  items?: Item[]
  selected: number
  problem?: string
}

/** Searches as somebody types, on a screen of its own, until one is chosen or none is wanted. */
export async function picked(
  items: Items,
  words: string,
  { input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream },
): Promise<Picked> {
  const done = Promise.withResolvers<Picked>()
  let state: State = { query: fieldOf(oneLine(words)), selected: 0 }
  let searches = 0
  let timer: NodeJS.Timeout | undefined

  const show = (change: Partial<State>) => {
    state = { ...state, ...change }
    output.write(drawn(state, output))
  }
  const search = async () => {
    const own = ++searches
    try {
      const found = await items.find(state.query.text)
      if (own === searches) show({ items: found, selected: 0, problem: undefined })
    } catch (error) {
      if (own === searches) show({ items: [], selected: 0, problem: reasonOf(error) })
    }
  }
  const choose = async () => {
    const item = state.items?.[state.selected]
    if (!item) return
    try {
      done.resolve({ code: EXIT.found, text: await items.whole(item) })
    } catch (error) {
      show({ problem: reasonOf(error) })
    }
  }
  const press = (pressed: Press) => {
    const action = actionFor('menu', pressed)
    const last = Math.max(0, (state.items?.length ?? 0) - 1)
    const go = (by: number) => show({ selected: Math.max(0, Math.min(last, state.selected + by)) })
    switch (action?.do) {
      case 'leave':
        return done.resolve({ code: action.code || EXIT.notFound })
      case 'back':
        return done.resolve({ code: EXIT.notFound })
      case 'submit':
        return void choose()
      case 'move':
        return go(action.by)
      case 'page':
        return go(action.by * Math.max(1, output.rows - 4))
      case 'edit': {
        const query = edited(state.query, action.edit)
        if (query.text !== state.query.text) {
          clearTimeout(timer)
          timer = setTimeout(() => void search(), SEARCH_AFTER_MS)
        }
        return show({ query })
      }
    }
  }
  const typed = (text: string | undefined, key: Key) => {
    const pressed = pressOf(text, key)
    if (pressed) press(pressed)
  }
  const redraw = () => show({})
  const gone = () => done.resolve({ code: EXIT.notFound })
  emitKeypressEvents(input)
  input.setRawMode(true)
  input.on('keypress', typed).once('end', gone).resume()
  output.on('resize', redraw)
  output.write('\u001b[?1049h')
  try {
    show({})
    await search()
    return await done.promise
  } finally {
    clearTimeout(timer)
    input.off('keypress', typed).off('end', gone).pause()
    input.setRawMode(false)
    output.off('resize', redraw)
    output.write('\u001b[?25h\u001b[?1049l')
  }
}

const NAMES: Record<string, string> = { return: 'enter', escape: 'esc' }

function pressOf(text: string | undefined, { name = '', ctrl, meta }: Key): Press | undefined {
  const key = NAMES[name] ?? name
  if (ctrl) return { key: `ctrl+${key}` }
  if (meta && key !== 'esc') return { key: `alt+${key}` }
  if (text !== undefined && !/\p{Cc}/u.test(text)) return { text }
  return key ? { key } : undefined
}

function drawn({ query, items, selected, problem }: State, { columns, rows }: NodeJS.WriteStream): string {
  const room = Math.max(1, rows - 3)
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), (items?.length ?? 0) - room))
  const field = window(query, columns - width(LEAD) - 1)
  const lines = (items ?? [])
    .slice(first, first + room)
    .map((item, at) => line(item, first + at === selected, columns))
  const empty =
    items === undefined ? '' : (problem ?? (items.length > 0 ? '' : 'No command or request is found.'))
  if (empty) lines.push(DIM(fit(` ${plainLine(empty)}`, columns - 1)))
  const screen = [
    `${ACCENT(LEAD)}${query.text === '' ? DIM('Search the commands and requests of your chats') : field.text}`,
    DIM('─'.repeat(Math.max(1, columns - 1))),
    ...lines,
    ...Array.from({ length: Math.max(0, room - lines.length) }, () => ''),
    DIM(fit(FOOTER, columns - 1)),
  ]
  return `\u001b[H${screen.map((each) => `${each}\u001b[K`).join('\r\n')}\u001b[J\u001b[1;${width(LEAD) + field.column + 1}H`
}

function line({ kind, text, at }: Item, isChosen: boolean, columns: number): string {
  const day = dateTime(at).slice(0, 10)
  const lead = kind === 'command' ? '$ ' : 'you: '
  const bar = isChosen ? '▌ ' : '  '
  const room = Math.max(10, columns - width(bar) - width(lead) - width(day) - 3)
  const said = pad(fit(plainLine(text), room), room)
  return `${ACCENT(bar)}${DIM(lead)}${isChosen ? BOLD(said) : said} ${DIM(day)}`
}

const isPlain = Boolean(process.env.NO_COLOR)
const style = (on: number, off: number) => (text: string) =>
  isPlain ? text : `\u001b[${on}m${text}\u001b[${off}m`
const BOLD = style(1, 22)
const DIM = style(2, 22)
const ACCENT = style(35, 39)
