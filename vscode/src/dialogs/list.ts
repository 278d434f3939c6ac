import * as vscode from 'vscode'
import type { SavedSearch } from '../../../src/archive/archive.ts'
import { type Backend, pathOf } from '../backend.ts'
import { findOrphans } from '../orphans.ts'
import { tick } from '../ticks.ts'
import { messageOf, t } from '../words.ts'
import { type Content, SAVED, type ShownGroup, searched } from './content.ts'
import { asSearch, described, type Filter, isEmpty } from './filter.ts'
import { type FilledGroup, type Grouping, hintOf, isOpenAtFirst, labelOf, nameOf } from './groups.ts'
import { chatsOf, groupsBy, type Surroundings } from './lists.ts'
import { rowOf } from './row.ts'
import { shownSearch, wordsOf } from './saved.ts'

const PAGE = 50
/** A first sync changes the archive all the time: the view is not drawn again more often than this. */
const REDRAW_MS = 1_000
/** Folders are not moved every minute. */
const ORPHANS_MS = 60_000

/** What is searched for: as typed, or as it was saved. */
interface Search {
  words: string
  saved?: SavedSearch
}

/** How the person left the view. */
interface Memory {
  get<T>(key: string): T | undefined
  update(key: string, value: unknown): Thenable<void>
}

/** The chats as groups. Reads the archive when it is looked at, and follows it only while it is seen. */
export class ChatList implements vscode.Disposable {
  readonly onDidChange: vscode.Event<void>
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #backend: Backend
  readonly #memory: Memory
  /** How many chats of a group are shown, and which groups are open, by name. */
  readonly #shown = new Map<string, number>()
  readonly #open: Map<string, boolean>
  #filter: Filter = {}
  #search: Search = { words: '' }
  #grouping: Grouping
  #orphans: { at: number; chats: number; ids: string[] } | undefined
  #redraw: NodeJS.Timeout | undefined
  #unfollow: (() => void) | undefined

  constructor(backend: Backend, memory: Memory) {
    this.#backend = backend
    this.#memory = memory
    this.#grouping = memory.get<Grouping>('grouping') ?? 'date'
    this.#open = new Map(memory.get<[string, boolean][]>('open') ?? [])
    this.onDidChange = this.#changed.event
  }

  get query(): string {
    return this.#search.words
  }

  narrow(filter: Filter): void {
    this.#filter = filter
    this.#shown.clear()
    void vscode.commands.executeCommand('setContext', 'recollect.filtered', !isEmpty(filter))
    this.refresh()
  }

  groupBy(grouping: Grouping): void {
    this.#grouping = grouping
    void this.#memory.update('grouping', grouping)
    this.#changed.fire()
  }

  /** What is found is shown until something else is searched for, or nothing. */
  search(query: string): void {
    const words = query.trim()
    this.#show(words === this.#search.words ? this.#search : { words })
  }

  /** With all that it is narrowed to. */
  async openSaved(name: string): Promise<void> {
    const reader = (await this.#backend.secretary()).reader(this.#backend.caller())
    const saved = (await reader.savedSearches()).find((each) => each.name === name)
    this.#show(saved ? { words: wordsOf(saved.input), saved } : { words: '' })
  }

  get searchedFor(): SavedSearch['input'] | undefined {
    const { words, saved } = this.#search
    if (!words && !saved) return undefined
    return saved?.input ?? { intent_query: words, ...asSearch(this.#filter, folders()) }
  }

  #show(search: Search): void {
    this.#search = search
    const isSearching = search.words !== '' || search.saved !== undefined
    if (isSearching) tick('searched')
    void vscode.commands.executeCommand('setContext', 'recollect.searching', isSearching)
    this.#changed.fire()
  }

  /** Opens a group that is closed, and the other way round. */
  turn(group: string, isOpen: boolean): void {
    this.#open.set(group, isOpen)
    void this.#memory.update('open', [...this.#open].slice(-200))
    this.#changed.fire()
  }

  async closeAll(): Promise<void> {
    const { groups } = await this.content()
    for (const { name } of groups) this.#open.set(name, false)
    this.#changed.fire()
  }

  showMore(group: string): void {
    this.#shown.set(group, (this.#shown.get(group) ?? PAGE) + PAGE)
    this.#changed.fire()
  }

  refresh(): void {
    this.#orphans = undefined
    this.#changed.fire()
  }

  /** Follows the archive while someone looks. */
  async follow(isSeen: boolean): Promise<void> {
    this.#unfollow?.()
    this.#unfollow = undefined
    if (!isSeen) return
    try {
      const secretary = await this.#backend.secretary()
      secretary.syncing()
      this.#unfollow ??= secretary.news.changes.listen(() => this.#redrawSoon())
      // What changed before we listened was told to nobody.
      await secretary.news.changes.begun()
    } catch (error) {
      this.#backend.log.error(messageOf(error))
    }
    this.#redrawSoon()
  }

  async content(): Promise<Content> {
    try {
      const content = await this.#content()
      say(content.state)
      if (content.state === 'ready') tick('synced')
      return content
    } catch (error) {
      this.#backend.log.error(messageOf(error))
      say('failed')
      return { state: 'failed', reason: messageOf(error), groups: [] }
    }
  }

  dispose(): void {
    clearTimeout(this.#redraw)
    this.#unfollow?.()
    this.#changed.dispose()
  }

  async #content(): Promise<Content> {
    const secretary = await this.#backend.secretary()
    const around = await this.#around()
    const only = isEmpty(this.#filter) ? {} : { only: t('Only {0}', described(this.#filter)) }
    const input = this.searchedFor
    if (input) {
      const { words, saved } = this.#search
      const asked = { words, input, filter: this.#filter, ...(saved && { saved: saved.name }) }
      const found = await searched(secretary, this.#backend.caller(), asked, around.now)
      // A saved search says itself what it is narrowed to.
      return { state: 'ready', ...(!saved && only), groups: [], found }
    }
    const saved = (await around.reader.savedSearches()).map(shownSearch)
    const filled = await groupsBy(this.#grouping, around)
    const groups = await Promise.all(filled.map((group) => this.#shownGroup(group, around)))
    const isNew = groups.length === 0 && (await around.reader.chatCount()) === 0
    const state = groups.length > 0 ? 'ready' : isNew ? 'empty' : 'filtered'
    const searches = { isOpen: this.#open.get(SAVED) ?? true, list: saved }
    return { state, ...only, groups, ...(saved.length > 0 && { searches }) }
  }

  async #shownGroup({ group, count }: FilledGroup, around: Surroundings): Promise<ShownGroup> {
    const name = nameOf(group)
    const isOpen = this.#open.get(name) ?? isOpenAtFirst(group)
    const hint = hintOf(group)
    const chats = isOpen ? await chatsOf(group, around, this.#shown.get(name) ?? PAGE) : []
    return {
      name,
      label: labelOf(group),
      ...(hint && { hint }),
      count,
      isOpen,
      rows: chats.map((chat) => rowOf(chat, around.now)),
      more: isOpen ? Math.max(0, count - chats.length) : 0,
    }
  }

  async #around(): Promise<Surroundings> {
    const secretary = await this.#backend.secretary()
    const reader = secretary.reader(this.#backend.caller())
    const around = {
      reader,
      filter: this.#filter,
      folders: folders(),
      ownChats: this.#backend.places.chats,
      leftOut: this.#backend.leftOut,
      now: Date.now(),
    }
    return { ...around, orphans: await this.#orphanIds(reader) }
  }

  async #orphanIds(reader: Surroundings['reader']): Promise<string[]> {
    const chats = await reader.chatCount()
    // A chat that has just been read may be one of them.
    const isOld = this.#orphans?.chats !== chats || Date.now() - this.#orphans.at > ORPHANS_MS
    if (!this.#orphans || isOld) {
      const found = await findOrphans(this.#backend.places, reader)
      this.#orphans = { at: Date.now(), chats, ids: found.map(({ chat }) => chat.id) }
    }
    return this.#orphans.ids
  }

  #redrawSoon(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined
      this.#changed.fire()
    }, REDRAW_MS)
  }
}

/** Of this window, as chats name them. */
function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri))
}

function say(state: Content['state']): void {
  void vscode.commands.executeCommand('setContext', 'recollect.state', state)
}
