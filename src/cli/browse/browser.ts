import { parse } from 'node:path'
import { findProgram } from '../../platform/program.ts'
import { isOnDisk } from '../../recall/on-disk.ts'
import { bytes, count, tilde } from '../format.ts'
import { fit } from '../paint.ts'
import { copy, openPath } from './clipboard.ts'
import { chooseSaved, chooseUnsave, save, toggleStars, unsave } from './kept.ts'
import { actionFor, oneLine, type Press } from './keys.ts'
import { type Library, nameOf, reasonOf } from './library.ts'
import { copyOptions, exportName, filterOptions, pathOptions, valueOptions } from './menus.ts'
import { actionsFor, type Mouse } from './mouse.ts'
import { plainLine } from './plain.ts'
import { isRequest, pageOf, type Reading, requestOn } from './reading.ts'
import { toEdge, toFirstMatch, toNextMatch, toRequest } from './seeking.ts'
import {
  type Action,
  type Entry,
  initialState,
  isOutermost,
  isSame,
  lookOf,
  optionsOf,
  pageHeight,
  placeOf,
  type State,
  step,
} from './state.ts'

/** How the browser was left. */
export interface Outcome {
  code: number
  /** The chat to go on with. */
  resume?: string
  /** The chats to read merged. */
  gather?: string[]
}

export interface BrowserOptions {
  size: State['size']
  words?: string
  terminal: NodeJS.WriteStream
  env?: NodeJS.ProcessEnv
  /** Whether the terminal may be asked to copy. */
  osc52?: boolean
}

/** Between two keys of somebody who types fast. */
const SEARCH_AFTER_MS = 45
/** While an arrow key is held down, only the chat at which it stops is read. */
const PREVIEW_AFTER_MS = 30
const LISTED = 40
/** So near to the end of the list, more of it is wanted. */
const NEAR = 10
/** As many as `gather_chats` takes. */
const MOST_GATHERED = 20
const HOW_TO_COPY =
  'no program for it is here. `"terminal": { "osc52": true }` in config.json lets the terminal do it, over SSH too.'

/** The browser without its looks: what is shown, and what each action does. */
export class Browser {
  state: State
  /** Settles when the person has left. */
  readonly left: Promise<Outcome>
  readonly library: Library
  readonly #copying: { terminal: NodeJS.WriteStream; osc52: boolean }
  readonly #system: Pick<NodeJS.Process, 'platform' | 'env'>
  readonly #listeners = new Set<() => void>()
  #leave: (outcome: Outcome) => void = () => {}
  #limit = LISTED
  #searches = 0
  #searchTimer: NodeJS.Timeout | undefined
  #previewTimer: NodeJS.Timeout | undefined
  #isLoading = false
  #isClosed = false

  constructor(
    library: Library,
    { size, words = '', terminal, env = process.env, osc52 = false }: BrowserOptions,
  ) {
    this.library = library
    this.#copying = { terminal, osc52 }
    this.#system = { platform: process.platform, env }
    this.state = initialState(size, oneLine(words))
    this.left = new Promise((resolve) => {
      this.#leave = resolve
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks for what is typed; the same chat stays chosen where it is found again. */
  async refresh(keep = true): Promise<void> {
    clearTimeout(this.#searchTimer)
    const search = ++this.#searches
    const { query, filters } = this.state
    const found = await this.library.find(query.text, filters, this.#limit)
    // What was typed meanwhile has its own search.
    if (search === this.#searches) this.do({ do: 'found', found, keep })
  }

  /** A key was pressed: what was said about the one before is old. */
  press(press: Press): void {
    if (this.state.notice) this.#set({ ...this.state, notice: undefined })
    const action = actionFor(placeOf(this.state), press)
    if (action) this.do(action)
    // Keys that arrive together are still keys, one after the other.
    else if ('text' in press && press.text.length > 1) for (const text of press.text) this.press({ text })
  }

  /** The mouse was clicked, or its wheel turned. */
  point(mouse: Mouse): void {
    if (this.state.notice) this.#set({ ...this.state, notice: undefined })
    for (const action of actionsFor(this.state, mouse)) this.do(action)
  }

  do(action: Action): void {
    if (this.#isClosed) return
    const before = this.state
    // The reader opens even where the preview is not there yet.
    const tooEarly = action.do === 'open' && this.entry && !this.#isRead(this.entry)
    if (!tooEarly) this.#set(step(before, action))
    this.#follow(before)
    const work = tooEarly ? this.#openWhenRead() : this.#act(action, before)
    work.catch((error) => this.tell(reasonOf(error), 'bad'))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#searchTimer)
    clearTimeout(this.#previewTimer)
    this.#listeners.clear()
  }

  get entry(): Entry | undefined {
    return this.state.found?.entries[this.state.selected]
  }

  #set(state: State): void {
    this.state = state
    for (const listener of this.#listeners) listener()
  }

  tell(text: string, tone: 'good' | 'bad' | 'faint'): void {
    this.do({ do: 'notice', text, tone })
  }

  /** What a change of the state asks of the archive. */
  #follow(before: State): void {
    const { query, filters, found, selected, reading } = this.state
    if (query.text !== before.query.text || filters !== before.filters) {
      this.#limit = LISTED
      clearTimeout(this.#searchTimer)
      this.#searchTimer = setTimeout(() => void this.refresh(false), SEARCH_AFTER_MS)
    }
    const isMoved = selected !== before.selected
    if (isMoved && found?.hasMore && selected + NEAR > found.entries.length) {
      this.#limit *= 5
      void this.refresh()
    }
    if (isMoved || found !== before.found) this.#previewSoon(before)
    if (reading && reading !== before.reading) void this.#extend()
  }

  #previewSoon({ found }: State): void {
    const isNewWords = this.state.found?.words?.text !== found?.words?.text
    if (!this.entry) this.#set({ ...this.state, reading: undefined })
    else if (isNewWords || !this.#isRead(this.entry)) {
      clearTimeout(this.#previewTimer)
      this.#previewTimer = setTimeout(() => void this.#preview(), PREVIEW_AFTER_MS)
    }
  }

  #isRead(entry: Entry): boolean {
    const chat = this.state.reading?.chat
    return chat !== undefined && isSame(entry, { source: chat.source, chatId: chat.id, title: '' })
  }

  async #preview(): Promise<void> {
    clearTimeout(this.#previewTimer)
    const { entry } = this
    if (!entry || this.state.view === 'reader') return
    try {
      const reading = await this.library.open(entry, entry.snippet?.index ?? 0)
      if (this.entry === entry) this.do({ do: 'read', reading, at: entry.snippet?.index })
    } catch (error) {
      this.tell(reasonOf(error), 'bad')
    }
  }

  /** Reads on where the end of what is here is near. */
  async #extend(): Promise<void> {
    const { reading } = this.state
    if (!reading || this.#isLoading) return
    const { wants } = pageOf(reading, lookOf(this.state), pageHeight(this.state))
    if (wants) await this.more(reading, wants)
  }

  async more(reading: Reading, side: 'before' | 'after'): Promise<void> {
    this.#isLoading = true
    try {
      const messages = await this.library.more(reading, side)
      const isSame = this.state.reading?.messages === reading.messages
      if (messages.length > 0 && isSame) this.do({ do: 'more', messages, side })
    } finally {
      this.#isLoading = false
    }
  }

  async #act(action: Action, before: State): Promise<void> {
    switch (action.do) {
      case 'leave':
        return this.#leave({ code: action.code })
      case 'back':
        return isOutermost(before) ? this.#leave({ code: 0 }) : undefined
      case 'submit':
        return await this.#submit(before)
      case 'edge':
        return await toEdge(this, action.to)
      case 'request':
        return await toRequest(this, action.direction)
      case 'find':
        return await toFirstMatch(this)
      case 'find next':
        return await toNextMatch(this, action.direction)
      case 'choose filter':
        return this.do({ do: 'menu', title: 'Filter by', options: filterOptions(this.state.filters) })
      case 'choose':
        return this.do(await valueOptions(action.of, this.library, this.state.filters))
      case 'copy':
        return await this.#copy(action.text, action.what)
      case 'open path':
        return await this.#openPath(action.path)
      case 'choose copy':
      case 'choose path':
      case 'resume':
        return await this.#withChat(action.do)
      case 'choose export':
        return this.state.marked.length > 0 ? this.#exportMarked() : await this.#withChat(action.do)
      case 'choose saved':
        return await chooseSaved(this)
      case 'choose unsave':
        return await chooseUnsave(this)
      case 'unsave':
        return await unsave(this, action.name)
      case 'star':
        return await toggleStars(this)
      case 'choose forget':
        return this.#askToForget()
      case 'gather':
        return this.#gather()
    }
  }

  async #openWhenRead(): Promise<void> {
    await this.#preview()
    if (this.entry && this.#isRead(this.entry)) this.do({ do: 'open' })
  }

  async #submit({ panel }: State): Promise<void> {
    if (panel?.kind === 'menu') {
      const option = optionsOf(panel)[panel.selected]
      if (!option) return
      this.do({ do: 'back' })
      this.do(option.action)
    } else if (panel?.kind === 'prompt' && panel.for === 'find') {
      this.do({ do: 'back' })
      if (panel.field.text.trim()) this.do({ do: 'find', find: panel.field.text.trim() })
    } else if (panel?.kind === 'prompt' && panel.for === 'forget') await this.#forget(panel.field.text.trim())
    else if (panel?.kind === 'prompt' && panel.for === 'save') await save(this, panel.field.text.trim())
    else if (panel?.kind === 'prompt') await this.#export(panel.field.text.trim())
  }

  /** What is marked; without marks, the chat that is chosen. */
  get meant(): Entry[] {
    const { marked } = this.state
    return marked.length > 0 ? marked : this.entry ? [this.entry] : []
  }

  #exportMarked(): void {
    const { length } = this.state.marked
    const title = `Export ${count(length, 'chat')} as Markdown to`
    this.do({ do: 'prompt', for: 'export', title, text: 'chats.md' })
  }

  #gather(): void {
    const meant = this.meant
    if (meant.length === 0) this.tell('There is no chat to do that with.', 'faint')
    else if (meant.length > MOST_GATHERED)
      this.tell(`At most ${MOST_GATHERED} chats are merged at a time.`, 'bad')
    else this.#leave({ code: 0, gather: meant.map(nameOf) })
  }

  #askToForget(): void {
    const meant = this.meant
    const [first, second] = meant
    const what = second ? count(meant.length, 'chat') : `“${plainLine(first?.title ?? '')}”`
    if (!first) this.tell('There is no chat to do that with.', 'faint')
    else
      this.do({ do: 'prompt', for: 'forget', title: `Erase ${fit(what, 40)} for good? Type yes`, text: '' })
  }

  async #forget(answer: string): Promise<void> {
    const names = this.meant.map(nameOf)
    this.do({ do: 'back' })
    if (!/^y(es)?$/i.test(answer)) return this.tell('Nothing was forgotten.', 'faint')
    const { chats, messages } = await this.library.forget(names)
    this.do({ do: 'mark', all: false })
    await this.refresh()
    this.tell(
      `Forgot ${count(chats, 'chat')} with ${count(messages, 'message')}. The files of assistants stay; sync leaves them out.`,
      'good',
    )
  }

  async #copy(text: string, what: string): Promise<void> {
    const by = await copy(text, this.#copying, this.#system)
    if (by === 'program') this.tell(`Copied ${what}.`, 'good')
    else if (by === 'terminal') this.tell(`Copied ${what}, by the terminal (OSC 52).`, 'good')
    else this.tell(`Could not copy: ${HOW_TO_COPY}`, 'bad')
  }

  async #withChat(what: 'choose copy' | 'choose path' | 'choose export' | 'resume'): Promise<void> {
    if (this.entry && !this.#isRead(this.entry)) await this.#preview()
    const { reading } = this.state
    if (!reading) return this.tell('There is no chat to do that with.', 'faint')
    const { chat } = reading
    if (what === 'choose export') {
      const title = 'Export as Markdown to'
      this.do({ do: 'prompt', for: 'export', title, text: exportName(chat) })
    } else if (what === 'choose path') {
      const options = pathOptions(chat, this.library.files(chat))
      if (options.length > 0) this.do({ do: 'menu', title: 'Open', options })
      else this.tell('No file of this chat is known.', 'faint')
    } else if (what === 'choose copy') {
      this.do({ do: 'menu', title: 'Copy', options: copyOptions(chat, await this.#request(reading)) })
    } else this.#resume(reading)
  }

  /** The request that is being read; in the list, the one that was found or led to what was. */
  async #request(reading: Reading): Promise<string | undefined> {
    const isReader = this.state.view === 'reader'
    const seen =
      isReader && requestOn(reading, pageOf(reading, lookOf(this.state), pageHeight(this.state)))?.text
    const index = isReader ? reading.top.index : (this.entry?.snippet?.index ?? 0)
    return seen || (await this.library.request(reading.chat, index)) || reading.messages.find(isRequest)?.text
  }

  #resume({ chat }: Reading): void {
    const program = chat.resume?.split(' ', 1)[0]
    if (!isOnDisk(chat.filePaths.map((path) => ({ path })))) {
      this.tell(`${chat.source} no longer has this chat: its file is gone.`, 'bad')
    } else if (!chat.resume || !program) {
      this.tell(`${chat.source} has no command to resume a chat.`, 'bad')
    } else if (!findProgram(program, this.#system)) {
      this.tell(`${program} is not installed here. Elsewhere: ${chat.resume}`, 'bad')
    } else this.#leave({ code: 0, resume: nameOf({ ...chat, chatId: chat.id }) })
  }

  async #export(path: string): Promise<void> {
    const { reading, marked, view } = this.state
    const one = reading && [nameOf({ ...reading.chat, chatId: reading.chat.id })]
    const names = marked.length > 0 && view === 'list' ? marked.map(nameOf) : one
    if (!names || path === '') return
    const written = await this.library.export(names, path)
    this.do({ do: 'back' })
    const { base, dir } = parse(written.path)
    this.tell(`Exported ${base}, ${bytes(written.bytes)}, to ${tilde(dir)}.`, 'good')
  }

  async #openPath(path: string): Promise<void> {
    if (await openPath(path, this.#system)) return this.tell(`Opened ${tilde(path)}.`, 'good')
    const by = await copy(path, this.#copying, this.#system)
    this.tell(`Nothing here opens files. ${by ? 'Copied the path' : 'It is at'}: ${tilde(path)}`, 'good')
  }
}
