import { dayOf } from '../../model/day.ts'
import type { SearchInput } from '../../search/input.ts'
import { count } from '../format.ts'
import { fit } from '../paint.ts'
import { chips } from './filters.ts'
import { type Library, nameOf } from './library.ts'
import { plainLine } from './plain.ts'
import { wordsOf } from './saved-input.ts'
import type { Action, Entry, Option, State } from './state.ts'

/** Stars and saved searches: kept in the archive, the same on the page and in commands. */

interface Browser {
  readonly state: State
  readonly library: Pick<Library, 'star' | 'savedSearches' | 'saveSearch' | 'removeSearch'>
  readonly meant: Entry[]
  do(action: Action): void
  tell(text: string, tone: 'good' | 'bad' | 'faint'): void
  refresh(keep?: boolean): Promise<void>
}

/** Stars what is meant; where all of it has a star, takes it away. */
export async function toggleStars(browser: Browser): Promise<void> {
  const { view, reading } = browser.state
  const chats = view === 'reader' && reading ? [entryOf(reading.chat)] : browser.meant
  const [first] = chats
  if (!first) return browser.tell('There is no chat to do that with.', 'faint')
  const starred = chats.some((chat) => !chat.starred)
  for (const chat of chats) await browser.library.star(nameOf(chat), starred)
  browser.do({ do: 'starred', chats, starred })
  const what = chats.length > 1 ? count(chats.length, 'chat') : `“${fit(plainLine(first.title), 50)}”`
  browser.tell(starred ? `★ Starred ${what}.` : `☆ Took the star off ${what}.`, 'good')
  if (browser.state.filters.starred) await browser.refresh()
}

function entryOf(chat: { source: string; id: string; title: string; pinned?: boolean }): Entry {
  return { source: chat.source, chatId: chat.id, title: chat.title, starred: chat.pinned === true }
}

/** A menu of the saved searches: one is run, this one is saved, one is removed. */
export async function chooseSaved(browser: Browser): Promise<void> {
  const saved = await browser.library.savedSearches()
  const { query, filters } = browser.state
  const options: Option[] = saved.map((search) => ({
    label: plainLine(search.name),
    note: plainLine(wordsOf(search)),
    action: { do: 'run', words: plainLine(wordsOf(search)), filters: { saved: search } },
  }))
  const prompt = { do: 'prompt', for: 'save', title: 'Save this search as' } as const
  const isSearch = query.text.trim() !== '' || chips(filters).length > 0
  if (isSearch)
    options.push({ label: 'Save this search …', action: { ...prompt, text: filters.saved?.name ?? '' } })
  if (saved.length > 0) options.push({ label: 'Remove a saved search …', action: { do: 'choose unsave' } })
  if (options.length > 0) browser.do({ do: 'menu', title: 'Saved searches', options })
  else browser.tell('No search is saved yet. Type one first, then ^L saves it.', 'faint')
}

export async function chooseUnsave(browser: Browser): Promise<void> {
  const options = (await browser.library.savedSearches()).map(
    (search): Option => ({
      label: plainLine(search.name),
      note: plainLine(wordsOf(search)),
      action: { do: 'unsave', name: search.name },
    }),
  )
  browser.do({ do: 'menu', title: 'Remove which?', options })
}

export async function unsave(browser: Browser, name: string): Promise<void> {
  await browser.library.removeSearch(name)
  browser.tell(`Removed the saved search “${fit(plainLine(name), 50)}”.`, 'good')
}

export async function save(browser: Browser, name: string): Promise<void> {
  browser.do({ do: 'back' })
  if (name === '') return
  const { query, filters } = browser.state
  const { input } = await browser.library.saveSearch(name, query.text.trim(), filters)
  const { time_window: time } = input as SearchInput
  const from = typeof time === 'object' && typeof time.start === 'number' ? new Date(time.start) : undefined
  const since = from ? `, from ${dayOf(from)} on` : ''
  browser.tell(`Saved as “${fit(plainLine(name), 50)}”${since}. ^L runs it again, the page too.`, 'good')
}
