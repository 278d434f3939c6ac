import type { ChatFilter, SavedSearch } from '../../../src/archive/archive.ts'
import type { Answers } from '../../../src/capabilities/index.ts'
import { RecollectError } from '../../../src/model/errors.ts'
import { explained } from '../../../src/search/explained.ts'
import type { Caller } from '../../../src/service/caller.ts'
import type { Secretary } from '../secretary.ts'
import type { Filter } from './filter.ts'
import { referenceOf } from './groups.ts'
import { type Row, rowOf } from './row.ts'
import type { ShownSearch } from './saved.ts'

/** What the view shows. */
export interface Content {
  state: 'ready' | 'empty' | 'filtered' | 'failed'
  /** Of the state `failed`. */
  reason?: string
  /** What the view is narrowed to, in words. */
  only?: string
  groups: ShownGroup[]
  /** Searches that are kept in the archive; missing where there are none. */
  searches?: { isOpen: boolean; list: ShownSearch[] }
  /** Instead of the groups, while something is searched for. */
  found?: Found
}

export interface ShownGroup {
  name: string
  label: string
  hint?: string
  count: number
  isOpen: boolean
  rows: Row[]
  /** So many more there are than are shown. */
  more: number
}

export interface Found {
  query: string
  /** The name of the saved search that it is. */
  saved?: string
  rows: Row[]
  /** What was made of the words, or why nothing was found. */
  about: string[]
}

/** The group of saved searches, by its name. */
export const SAVED = 'saved'

const RESULTS = 50

/** Chats in which the words are, the best first. */
export async function searched(
  secretary: Secretary,
  caller: Caller,
  { words, input, filter, saved }: Asked,
  now: number,
): Promise<Found> {
  const head = { query: words || saved || '', ...(saved && { saved }) }
  try {
    const answer = await found(secretary, caller, input, RESULTS)
    const only = saved ? {} : { titleContains: filter.title, statuses: filter.statuses }
    return {
      ...head,
      rows: await rowsOf(secretary, caller, answer.results, only, now),
      about: [...explained(answer), ...(answer.notes ?? [])],
    }
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    return { ...head, rows: [], about: [error.message] }
  }
}

/** What is searched for in the view. */
interface Asked {
  words: string
  /** As search takes it. */
  input: SavedSearch['input']
  filter: Filter
  /** The name by which it is kept. */
  saved?: string
}

/** As asked for; where that is nowhere, forgiving typos. */
export async function found(secretary: Secretary, caller: Caller, input: SavedSearch['input'], most: number) {
  const ask = async (precision_mode: 'basic' | 'fuzzy') =>
    await secretary.ask(
      'search_conversations',
      { precision_mode, ...input, limit_chats: most, limit_snippets_per_chat: 1, snippet_window: 120 },
      caller,
    )
  const exact = await ask('basic')
  return exact.results.length > 0 || 'precision_mode' in input ? exact : await ask('fuzzy')
}

type Result = Answers['search_conversations']['results'][number]

/** With what the archive knows of each besides. */
async function rowsOf(
  secretary: Secretary,
  caller: Caller,
  results: Result[],
  only: ChatFilter,
  now: number,
): Promise<Row[]> {
  const reader = secretary.reader(caller)
  const ids = Map.groupBy(results, ({ source }) => source)
  const known = await Promise.all(
    [...ids].map(([source, list]) =>
      reader.chats(
        {
          ...only,
          about: { folders: [], chats: { source, ids: list.map(({ chatId }) => chatId) } },
          subagents: true,
        },
        { limit: list.length },
      ),
    ),
  )
  const chats = new Map(known.flat().map((chat) => [referenceOf(chat), chat]))
  return results.flatMap(({ source, chatId, snippets: [snippet] }) => {
    const chat = chats.get(referenceOf({ source, id: chatId }))
    if (!chat) return []
    const isMessage = snippet && snippet.source !== 'title'
    return [
      {
        ...rowOf(chat, now),
        ...(isMessage && {
          found: { index: snippet.index, text: snippet.text, marks: snippet.marks },
        }),
      },
    ]
  })
}
