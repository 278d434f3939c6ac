import type { ReadMessage } from '../../recall/reader.ts'
import type { BackgroundState } from '../../sync/background.ts'
import { type Edit, edited, type Field, fieldOf } from './field.ts'
import { chips, type Filters } from './filters.ts'
import { type Layout, layoutOf } from './layout.ts'
import type { Look } from './message.ts'
import { hitIn, type Reading, type Place as Spot, scrolled, settled, shownAt } from './reading.ts'
import type { Range } from './spans.ts'

/** What the list is narrowed by. */
export type Chooseable = 'source' | 'workspace' | 'repository' | 'author' | 'machine' | 'time' | 'role'

/** A chat in the list. */
export interface Entry {
  source: string
  chatId: string
  title: string
  workspace?: string
  /** Whose it is, where it is not of this machine. */
  author?: string
  updatedAt?: number
  messageCount?: number
  starred?: boolean
  /** Where the words stand. */
  snippet?: { text: string; marks: Range[]; index: number; from: string }
}

export interface Found {
  entries: Entry[]
  /** How many there are, where that is known. */
  total?: number
  hasMore: boolean
  /** Milliseconds that the search took. */
  took?: number
  /** What went wrong, or why there is nothing. */
  problem?: string
  /** Says where the words that were searched for stand in a text. */
  words?: Look['words']
}

export interface Option {
  label: string
  note?: string
  action: Action
}

type PromptFor = 'export' | 'find' | 'forget' | 'save'

export type Panel =
  | { kind: 'help'; top: number }
  | { kind: 'menu'; title: string; options: Option[]; typed: string; selected: number }
  | { kind: 'prompt'; for: PromptFor; title: string; field: Field }

export interface State {
  size: { columns: number; rows: number }
  query: Field
  filters: Filters
  /** Nothing while the first chats are being read. */
  found?: Found
  selected: number
  /** What is done with several at once. */
  marked: Entry[]
  /** The chat of the preview, and of the reader. */
  reading?: Reading
  focus: 'list' | 'preview'
  view: 'list' | 'reader'
  tools: boolean
  /** What the reader looks for. */
  find?: string
  panel?: Panel
  notice?: { text: string; tone: 'good' | 'bad' | 'faint' }
  sync?: BackgroundState
}

/** What a key, a choice in a menu, or an answer from the archive asks for. */
export type Action =
  | { do: 'edit'; edit: Edit }
  | { do: 'move'; by: number }
  | { do: 'select'; at: number }
  | { do: 'scroll'; by: number }
  | { do: 'mark'; all?: false }
  | { do: 'page'; by: number }
  | { do: 'edge'; to: 'start' | 'end' }
  | { do: 'focus' }
  | { do: 'open' }
  | { do: 'back' }
  | { do: 'tools' }
  | { do: 'help' }
  | { do: 'filter'; set: Partial<Filters> }
  /** A saved search, in the place of what is asked. */
  | { do: 'run'; words: string; filters: Filters }
  | { do: 'starred'; chats: Entry[]; starred: boolean }
  | { do: 'menu'; title: string; options: Option[] }
  | { do: 'prompt'; for: PromptFor; title: string; text: string }
  | { do: 'submit' }
  | { do: 'notice'; text: string; tone: 'good' | 'bad' | 'faint' }
  | { do: 'found'; found: Found; keep?: boolean }
  /** `at` is the message that was found. */
  | { do: 'read'; reading: Reading | undefined; at?: number }
  | { do: 'more'; messages: ReadMessage[]; side: 'before' | 'after' }
  | { do: 'go'; to: Spot; match?: true }
  | { do: 'resized'; columns: number; rows: number }
  | { do: 'synced'; sync: BackgroundState }
  | { do: 'find'; find: string }
  // What needs more than the state; the browser does it.
  | { do: 'request'; direction: 1 | -1 }
  | { do: 'find next'; direction: 1 | -1 }
  | { do: 'choose filter' }
  | { do: 'choose copy' }
  | { do: 'choose path' }
  | { do: 'choose export' }
  | { do: 'choose forget' }
  | { do: 'choose saved' }
  | { do: 'choose unsave' }
  | { do: 'unsave'; name: string }
  | { do: 'star' }
  | { do: 'gather' }
  | { do: 'choose'; of: Chooseable }
  | { do: 'copy'; text: string; what: string }
  | { do: 'open path'; path: string }
  | { do: 'resume' }
  | { do: 'leave'; code: number }

export function initialState(size: State['size'], words = ''): State {
  const query = fieldOf(words)
  return { size, query, filters: {}, selected: 0, marked: [], focus: 'list', view: 'list', tools: false }
}

/** Which keys are meant. */
export type Place = 'list' | 'preview' | 'reader' | 'menu' | 'prompt' | 'help'

export function placeOf({ panel, view, focus }: State): Place {
  return panel?.kind ?? (view === 'reader' ? 'reader' : focus)
}

/** The list is arranged for what is in it, which may be older than what is typed. */
export function screenOf({ size, filters, found }: State): Layout {
  return layoutOf({ ...size, hasChips: chips(filters).length > 0, hasWords: found?.words !== undefined })
}

export function lookOf(state: State): Look {
  const { preview, reader } = screenOf(state)
  const words = state.found?.words
  const { author } = state.reading?.chat ?? {}
  if (state.view === 'list') return { columns: (preview ?? reader).columns, tools: false, words, author }
  // What is being looked for now is more than what led here.
  const { find, tools } = state
  return { columns: reader.columns, tools, author, ...(find ? { find } : { words }) }
}

export function pageHeight(state: State): number {
  const { preview, reader } = screenOf(state)
  return (state.view === 'reader' ? reader : (preview ?? reader)).rows
}

export function optionsOf({ options, typed }: Extract<Panel, { kind: 'menu' }>): Option[] {
  const wanted = typed.toLowerCase()
  return options.filter(({ label }) => label.toLowerCase().includes(wanted))
}

/** What the state becomes. Nothing else happens here. */
export function step(state: State, action: Action): State {
  switch (action.do) {
    case 'edit':
      return typed(state, action.edit)
    case 'move':
      return moved(state, action.by)
    case 'select':
      return { ...state, selected: clampedPlace(action.at, state.found?.entries.length ?? 0), focus: 'list' }
    case 'scroll': {
      const { reading } = state
      if (!reading) return state
      return { ...state, reading: scrolled(reading, action.by, lookOf(state), pageHeight(state)) }
    }
    case 'mark':
      return action.all === false ? { ...state, marked: [] } : markedAnew(state)
    case 'page': {
      const { list } = screenOf(state)
      const inList = placeOf(state) === 'list' || placeOf(state) === 'menu'
      const page = inList ? Math.max(1, Math.floor(list.rows / list.perChat)) : pageHeight(state) - 2
      return moved(state, action.by * Math.max(1, page))
    }
    case 'edge':
      return edge(state, action.to)
    case 'focus': {
      const canFocus = screenOf(state).preview !== undefined && state.reading !== undefined
      return { ...state, focus: state.focus === 'list' && canFocus ? 'preview' : 'list' }
    }
    case 'open':
      return state.reading ? rearranged({ ...state, view: 'reader', find: undefined }, state) : state
    case 'back':
      return back(state)
    case 'tools':
      return rearranged({ ...state, tools: !state.tools }, state)
    case 'help':
      return { ...state, panel: { kind: 'help', top: 0 } }
    case 'filter': {
      const filters = { ...state.filters, ...action.set }
      return { ...state, filters, panel: undefined, selected: 0, view: 'list' }
    }
    case 'run': {
      const { words, filters } = action
      return { ...state, query: fieldOf(words), filters, panel: undefined, selected: 0, view: 'list' }
    }
    case 'starred':
      return starred(state, action.chats, action.starred)
    case 'menu': {
      const { title, options } = action
      return { ...state, panel: { kind: 'menu', title, options, typed: '', selected: 0 } }
    }
    case 'prompt': {
      const { title, text } = action
      return { ...state, panel: { kind: 'prompt', for: action.for, title, field: fieldOf(text) } }
    }
    case 'notice':
      return { ...state, notice: { text: action.text, tone: action.tone } }
    case 'found':
      return withFound(state, action.found, action.keep ?? false)
    case 'read':
      return opened(state, action.reading, action.at)
    case 'more':
      return withMore(state, action.messages, action.side)
    case 'go':
      return gone(state, action.to, action.match ?? false)
    case 'resized': {
      const size = { columns: action.columns, rows: action.rows }
      const resized = rearranged({ ...state, size }, state)
      return screenOf(resized).preview ? resized : { ...resized, focus: 'list' }
    }
    case 'synced':
      return { ...state, sync: action.sync }
    case 'find':
      return { ...state, find: action.find, panel: undefined }
    default:
      return state
  }
}

function typed(state: State, edit: Edit): State {
  const { panel } = state
  if (panel?.kind === 'prompt') return { ...state, panel: { ...panel, field: edited(panel.field, edit) } }
  if (panel?.kind === 'menu') {
    return { ...state, panel: { ...panel, typed: edited(fieldOf(panel.typed), edit).text, selected: 0 } }
  }
  const query = edited(state.query, edit)
  const selected = query.text === state.query.text ? state.selected : 0
  return { ...state, query, selected, focus: 'list' }
}

function moved(state: State, by: number): State {
  const { panel, reading } = state
  if (panel?.kind === 'help') return { ...state, panel: { ...panel, top: Math.max(0, panel.top + by) } }
  if (panel?.kind === 'menu') {
    return {
      ...state,
      panel: { ...panel, selected: clampedPlace(panel.selected + by, optionsOf(panel).length) },
    }
  }
  if (placeOf(state) === 'list')
    return { ...state, selected: clampedPlace(state.selected + by, state.found?.entries.length ?? 0) }
  if (!reading) return state
  return { ...state, reading: scrolled(reading, by, lookOf(state), pageHeight(state)) }
}

function edge(state: State, to: 'start' | 'end'): State {
  const by = to === 'start' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (placeOf(state) !== 'reader' && placeOf(state) !== 'preview') return moved(state, by)
  if (!state.reading) return state
  const { messages } = state.reading
  const top = { index: (to === 'start' ? messages[0] : messages.at(-1))?.index ?? 0, row: 0 }
  return {
    ...state,
    reading: scrolled({ ...state.reading, top }, to === 'start' ? 0 : 1e6, lookOf(state), pageHeight(state)),
  }
}

/** Marks the chosen chat, or unmarks it, and goes to the next. */
function markedAnew(state: State): State {
  const entry = state.found?.entries[state.selected]
  if (!entry) return state
  const others = state.marked.filter((each) => !isSame(each, entry))
  const marked = others.length < state.marked.length ? others : [...others, entry]
  return moved({ ...state, marked, focus: 'list' }, 1)
}

function starred(state: State, chats: Entry[], isStarred: boolean): State {
  const noted = (entry: Entry) =>
    chats.some((chat) => isSame(chat, entry)) ? { ...entry, starred: isStarred } : entry
  const { found, reading, marked } = state
  const chat = reading?.chat
  const isRead = chat && chats.some((each) => isSame(each, { ...chat, chatId: chat.id }))
  return {
    ...state,
    marked: marked.map(noted),
    ...(found && { found: { ...found, entries: found.entries.map(noted) } }),
    ...(isRead && { reading: { ...reading, chat: { ...chat, pinned: isStarred || undefined } } }),
  }
}

/** One step out: of a panel, the reader, the preview, the marks, the words, the filters. */
function back(state: State): State {
  if (state.panel) return { ...state, panel: undefined }
  if (state.view === 'reader' && state.find) return { ...state, find: undefined }
  if (state.view === 'reader') return rearranged({ ...state, view: 'list', focus: 'list' }, state)
  if (state.focus === 'preview') return { ...state, focus: 'list' }
  if (state.marked.length > 0) return { ...state, marked: [] }
  if (state.query.text !== '') return { ...state, query: fieldOf(''), selected: 0 }
  return { ...state, filters: {}, selected: 0 }
}

/** Nothing is left to step out of but the browser itself. */
export function isOutermost(state: State): boolean {
  const { panel, view, focus, query, filters, marked } = state
  const isNarrowed = query.text !== '' || chips(filters).length > 0
  return !panel && view === 'list' && focus === 'list' && marked.length === 0 && !isNarrowed
}

/** After news from the archive the same chat stays chosen. */
function withFound(state: State, found: Found, keep: boolean): State {
  const chosen = state.found?.entries[state.selected]
  const same = keep && chosen ? found.entries.findIndex((entry) => isSame(entry, chosen)) : 0
  return { ...state, found, selected: clampedPlace(Math.max(0, same), found.entries.length) }
}

export function isSame(a: Entry, b: Entry): boolean {
  return a.source === b.source && a.chatId === b.chatId
}

function opened(state: State, reading: Reading | undefined, at: number | undefined): State {
  if (!reading || at === undefined) return { ...state, reading }
  const [look, height] = [lookOf(state), pageHeight(state)]
  return { ...state, reading: shownAt(reading, hitIn(reading, at, look), look, height) }
}

function withMore(state: State, more: ReadMessage[], side: 'before' | 'after'): State {
  const { reading } = state
  if (!reading) return state
  const messages = side === 'before' ? [...more, ...reading.messages] : [...reading.messages, ...more]
  return { ...state, reading: { ...reading, messages } }
}

function gone(state: State, to: Spot, match: boolean): State {
  if (!state.reading) return state
  const reading = { ...state.reading, ...(match && { match: to }) }
  const [look, height] = [lookOf(state), pageHeight(state)]
  if (match) return { ...state, notice: undefined, reading: shownAt(reading, to, look, height) }
  return { ...state, notice: undefined, reading: settled({ ...reading, top: to }, look, height) }
}

/** The same message stays at the top when lines are laid out anew. */
function rearranged(state: State, before: State): State {
  const { reading } = state
  if (!reading || lookOf(state).columns === lookOf(before).columns) return resettled(state)
  return resettled({ ...state, reading: { ...reading, top: { ...reading.top, row: 0 }, match: undefined } })
}

function resettled(state: State): State {
  if (!state.reading) return state
  return { ...state, reading: settled(state.reading, lookOf(state), pageHeight(state)) }
}

function clampedPlace(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}
