import type { BackgroundState } from '../../sync/background.ts'
import { count, dateTime, tilde } from '../format.ts'
import { width } from '../paint.ts'
import { folderName } from './filters.ts'
import { BINDINGS, type Binding } from './keys.ts'
import type { Layout } from './layout.ts'
import { plain, plainLine } from './plain.ts'
import { hasAfter, hasBefore, pageOf, type Reading } from './reading.ts'
import { apart, cut, type Line, marked, type Range, span, type Tone, widthOf, wrapped } from './spans.ts'
import {
  type Entry,
  isSame,
  lookOf,
  optionsOf,
  type Panel,
  pageHeight,
  placeOf,
  type State,
  screenOf,
} from './state.ts'

/** What stands in each part of the screen, as lines that fit. */

export function listLines(state: State): Line[] {
  const { list } = screenOf(state)
  const { found, selected } = state
  if (!found || found.entries.length === 0) return emptyLines(state, list.columns)
  const { first, visible } = inSight(state)
  return found.entries.slice(first, first + visible).flatMap((entry, i) => {
    const isChosen = first + i === selected
    const isMarked = state.marked.some((each) => isSame(each, entry))
    const bar = span(isChosen ? '▌' : ' ', state.focus === 'list' ? 'accent' : 'faint')
    const lines = entryLines(entry, list, isChosen)
    return lines.map((line, row) => [bar, span(isMarked && row === 0 ? '●' : ' ', 'accent'), ...line])
  })
}

/** Which entries of the list there is room for. */
export function inSight(state: State): { first: number; visible: number } {
  const { list } = screenOf(state)
  const visible = Math.max(1, Math.floor(list.rows / list.perChat))
  const last = Math.max(0, (state.found?.entries.length ?? 0) - visible)
  return { first: Math.min(last, Math.max(0, state.selected - Math.floor(visible / 2))), visible }
}

function entryLines(entry: Entry, list: Layout['list'], isChosen: boolean): Line[] {
  const columns = list.columns - 3
  const { source, workspace, author, messageCount, snippet } = entry
  const day = [span(dateTime(entry.updatedAt).slice(0, 10), 'faint')]
  const title = [
    ...(entry.starred ? [span('★ ', 'accent')] : []),
    span(plainLine(entry.title) || '(no title)', isChosen ? 'strong' : 'text'),
  ]
  const facts = [
    source,
    workspace && folderName(workspace),
    author && `by ${author}`,
    messageCount ? count(messageCount, 'message') : undefined,
  ]
  const about = span(joined(facts), 'faint')
  if (!list.isRoomy) {
    const lines = [cut(title, columns), apart([about], day, columns)]
    return list.perChat === 3 ? [...lines, snippet ? snippetLine(snippet, columns) : []] : lines
  }
  const beside = [about, span('   ')]
  const room = Math.max(20, columns - widthOf(beside))
  return [
    apart(title, day, columns),
    snippet ? [...beside, ...snippetLine(snippet, room)] : cut([about], columns),
  ]
}

/** With the words in sight, however little room there is. */
function snippetLine({ text, marks, from }: NonNullable<Entry['snippet']>, columns: number): Line {
  const who = span(`${from}: `, 'faint')
  const pieces: Line = []
  let at = 0
  const add = (to: number, tone: Tone) => {
    pieces.push(span(plain(text.slice(at, to)).replace(/\s/g, ' '), tone))
    at = to
  }
  for (const [start, end] of marks) {
    add(start, 'text')
    add(end, 'hit')
  }
  add(text.length, 'text')
  const room = columns - widthOf([who])
  const [before, word] = pieces
  if (before && word && widthOf([before, word]) > room - 3)
    pieces[0] = span(`…${lastOf(before.text, Math.max(0, Math.floor(room / 3) - 1))}`)
  return [who, ...cut(pieces, room)]
}

/** The end of a text, from a word on. */
function lastOf(text: string, columns: number): string {
  const words = text.split(/(?<= )/)
  while (words.length > 0 && width(words.join('')) > columns) words.shift()
  return words.join('')
}

function emptyLines({ found, query, sync, filters }: State, columns: number): Line[] {
  const words = query.text.trim()
  const narrowed = Object.values(filters).some(Boolean)
  const texts =
    found === undefined
      ? []
      : found.problem
        ? [found.problem]
        : words || narrowed
          ? [
              words ? `Nothing found for “${words}”.` : 'No chat passes these filters.',
              narrowed ? 'Ctrl-F changes the filters.' : 'Try fewer words, or Ctrl-F for fuzzy spelling.',
            ]
          : sync?.state === 'in step'
            ? [
                'There are no chats here yet.',
                '`recollect paths` tells where they were looked for, `recollect --sample` shows made-up ones.',
              ]
            : sync?.state === 'failed'
              ? [`The chats on this machine are not read: ${sync.reason}`]
              : ['Reading the chats on this machine …']
  return texts.flatMap((text) =>
    wrapped([span(plainLine(text), 'faint')], columns - 4).map((line) => [span('  '), ...line]),
  )
}

/** What the preview or the reader shows of a chat. */
export function chatLines(state: State): Line[] {
  if (!state.reading) return []
  return pageOf(state.reading, lookOf(state), pageHeight(state)).rows.map(({ line }) => line)
}

export function titleLine({ chat }: Reading, columns: number, words?: (text: string) => Range[]): Line {
  const title = plainLine(chat.title)
  const star = chat.pinned ? [span('★ ', 'accent')] : []
  return cut([...star, ...marked([span(title, 'strong')], words?.(title) ?? [], 'hit')], columns)
}

export function factsOf(reading: Reading): string {
  const { chat } = reading
  return joined([chat.source, shortFacts(reading), chat.models.join(', '), dateTime(chat.updatedAt)])
}

/** What the list does not say. */
export function shortFacts({ chat }: Reading): string {
  const by = chat.author && `by ${chat.author} on ${chat.machine ?? '?'}`
  const where = [chat.workspace && tilde(chat.workspace), chat.repository, chat.branch]
  return joined([by, ...where, count(chat.messageCount, 'message')])
}

function joined(facts: (string | undefined)[]): string {
  return facts.flatMap((fact) => (fact ? [plainLine(fact)] : [])).join(' · ')
}

/** Which message is at the top of the screen, and whether there is more above and below. */
export function whereIn(state: State): string {
  const { reading } = state
  if (!reading) return ''
  const { rows } = pageOf(reading, lookOf(state), pageHeight(state))
  const isAll = !hasBefore(reading) && !hasAfter(reading) && rows.length < pageHeight(state)
  return isAll ? '' : `#${reading.top.index} of ${reading.chat.messageCount - 1}`
}

export function statusLine(state: State, columns: number): Line {
  const { notice, found } = state
  if (notice) return cut([span(plainLine(notice.text), notice.tone)], columns)
  // Why nothing new arrives matters more than what else would be said here.
  if (state.sync?.state === 'failed') return cut(syncSpan(state.sync), columns)
  const sync = cut(syncSpan(state.sync), Math.max(10, columns - 24))
  if (state.view === 'reader' && state.reading)
    return apart([span(`id ${plainLine(state.reading.chat.id)}`, 'faint')], sync, columns)
  if (!found) return apart([], sync, columns)
  const shown = found.entries.length
  const all = found.total ?? shown
  const chats =
    found.words === undefined
      ? found.hasMore
        ? `the ${shown} newest chats`
        : `${count(shown, 'chat')}, newest first`
      : shown < all
        ? `the best ${shown} of ${count(all, 'chat')}`
        : count(all, 'chat')
  const took = found.took === undefined ? '' : ` in ${Math.max(1, Math.round(found.took))} ms`
  const problem = found.problem && shown > 0 ? `  ${plainLine(found.problem)}` : ''
  const { length } = state.marked
  const marks = length > 0 ? [span(`${length} marked`, 'accent'), span('  ')] : []
  return apart([...marks, span(chats + took + problem, 'faint')], sync, columns)
}

function syncSpan(sync: BackgroundState | undefined): Line {
  if (!sync || sync.state === 'starting') return [span('looking for new chats …', 'faint')]
  if (sync.state === 'in step') return [span('up to date', 'faint')]
  if (sync.state === 'failed') return [span(`not synced: ${plainLine(withShortPaths(sync.reason))}`, 'bad')]
  const share = sync.total === 0 ? 100 : Math.floor((100 * sync.done) / sync.total)
  return [span(`reading new chats: ${share} %`, 'accent')]
}

/** The reason comes after the path of the archive, which alone may fill the line. */
function withShortPaths(text: string): string {
  return text.replace(
    /(?<![^\s"'(])(?:[A-Za-z]:)?(?:[\\/][^\\/\s"':]+){3,}/g,
    (path) => `…${path.slice(path.search(/[\\/][^\\/]*$/))}`,
  )
}

/** The keys that matter here; what helps most stays when there is little room. */
export function footerLine(state: State, columns: number): Line {
  const place = placeOf(state)
  const hasPreview = screenOf(state).preview !== undefined
  const named = BINDINGS[place].filter(
    ({ inFooter, action }) => inFooter && (hasPreview || place !== 'list' || action.do !== 'focus'),
  )
  const help = named.find(({ action }) => action.do === 'help')
  const right = help ? keyOf(help) : []
  const left: Line = []
  for (const binding of named) {
    if (binding === help) continue
    const key = [...keyOf(binding), span('  ')]
    if (widthOf(left) + widthOf(key) + widthOf(right) > columns - 2) break
    left.push(...key)
  }
  return apart(left, right, columns)
}

function keyOf({ shown = '', inFooter = '' }: Binding): Line {
  return [span(shown, 'strong'), span(` ${inFooter}`, 'faint')]
}

/** The first option that there is room for. */
export function menuStart(panel: Extract<Panel, { kind: 'menu' }>, rows: number): number {
  const last = Math.max(0, optionsOf(panel).length - rows)
  return Math.min(last, Math.max(0, panel.selected - Math.floor(rows / 2)))
}

export function menuLines(panel: Extract<Panel, { kind: 'menu' }>, columns: number, rows: number): Line[] {
  const options = optionsOf(panel)
  if (options.length === 0) return [[span('Nothing is called that.', 'faint')]]
  const first = menuStart(panel, rows)
  const labels = Math.min(
    Math.floor(columns * 0.6),
    Math.max(...options.map(({ label }) => widthOf([span(label)]))),
  )
  return options.slice(first, first + rows).map(({ label, note = '' }, i) => {
    const isChosen = first + i === panel.selected
    const name = cut([span(label, isChosen ? 'strong' : 'text')], labels)
    const gap = ' '.repeat(labels - widthOf(name) + 2)
    return cut([span(isChosen ? '▌ ' : '  ', 'accent'), ...name, span(gap), span(note, 'faint')], columns)
  })
}

export function helpLines(columns: number): Line[] {
  const section = (title: string, bindings: Binding[]): Line[] => [
    [span(title, 'strong')],
    ...bindings.flatMap(({ shown, does }) => (shown ? helpLine(shown, does, columns) : [])),
    [],
  ]
  return [
    ...section('Searching', BINDINGS.list),
    ...section('Reading a chat', BINDINGS.reader),
    ...helpLine('', '"Quotes" match an exact phrase; -word leaves out chats that contain it.', columns),
  ]
}

function helpLine(shown: string, does: string, columns: number): Line[] {
  const lead = 10
  return wrapped([span(does)], Math.max(10, columns - lead)).map((line, i) => [
    span((i === 0 ? shown : '').padEnd(lead), 'accent'),
    ...line,
  ])
}
