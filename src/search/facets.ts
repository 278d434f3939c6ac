import type { Archive, ChatFacts, SearchView } from '../archive/archive.ts'
import { KINDS, ROLES } from '../archive/archive.ts'
import { ANYWHERE } from '../model/clean.ts'
import { dayOf } from '../model/day.ts'
import { folderKey } from '../model/folder-key.ts'
import { exclusion } from './exclude.ts'
import { chatsAsked, type SearchInput, timeOf } from './input.ts'
import { understand } from './query.ts'
import { bits, type Scores } from './score.ts'
import { type Asked, ranked } from './search.ts'
import type { Clean } from './snippet.ts'
import { timedQuery } from './time.ts'

/** What the chats of a search or of a list can be narrowed by, and how many each leaves; the most first, months by time. */
export type Facets = Record<FacetName, Facet[]>
type FacetName = 'source' | 'workspace' | 'model' | 'role' | 'month'

interface Facet {
  value: string
  chats: number
}

const NAMES: FacetName[] = ['source', 'workspace', 'model', 'role', 'month']
const MOST = 60
const MOST_CHECKED = 1_000

/**
 * Counts, of each facet, what would be left by each of its values beside all that is chosen of the others: of several
 * values of one any will do. Without words it counts all chats.
 */
export async function facetsOf(archive: Archive, input: SearchInput, clean: Clean): Promise<Facets> {
  const texts = [input.intent_query ?? input.query ?? ''].flat().map(String)
  const query = understand(texts)
  const isList = query.terms.length === 0 && query.phrases.length === 0
  // Where a pattern matches only a search knows, which takes long.
  if (input.regex || (isList && texts.some((text) => text.trim() !== ''))) return cleaned({}, clean)
  const base = withoutFacets(input)
  return await archive.searching((view) => {
    if (isList) return cleaned(counted(view, input, allChats(view, base)), clean)
    const timed = timedQuery(texts, input)
    const asked = { input: base, meaning: undefined, note: undefined, clean }
    let found = timed && foundBy(view, { ...asked, query: timed.query, when: timed.filter })
    if (!found || found.length === 0) found = foundBy(view, { ...asked, query })
    return cleaned(counted(view, input, found), clean)
  })
}

/** One place where something was found: which chat, and in what kind of message. */
interface Place {
  chat: number
  role?: string
  month?: string
}

function withoutFacets(input: SearchInput): SearchInput {
  const { source: _, workspace: __, model: ___, months: ____, role_filter: _____, ...rest } = input
  return { ...rest, cursor: undefined, limit_chats: 1 }
}

function allChats(view: SearchView, base: SearchInput): Place[] {
  const { from, to } = timeOf(base)
  const { repository, author, machine } = base
  const filter = { ...chatsAsked(base), repository, author, machine, updatedFrom: from, updatedTo: to }
  const monthAt = months()
  return view
    .chatFacts(view.chatKeys(filter))
    .map(({ key, updatedAt = 0 }) => ({ chat: key, month: monthAt(updatedAt / 1000) }))
}

function foundBy(view: SearchView, asked: Asked): Place[] {
  const places: Place[] = []
  const monthAt = months()
  const seen = ({ scratch, documents, messages, chats }: Scores) => {
    const { chatUnits, foundChats, found, units } = scratch
    const all = [...foundChats.subarray(0, chats)]
    const most = all.reduce((sum, chat) => Math.max(sum, bits(chatUnits[chat]! >>> 0)), 0)
    const least = asked.input.match === 'all' ? asked.query.units : asked.input.sort === 'date' ? most : 1
    const isFound = (chat: number) => bits(chatUnits[chat]! >>> 0) >= least
    const told = new Set<number>()
    for (let i = 0; i < messages; i++) {
      const key = found[i]!
      const chat = documents.chat[key]!
      if (units[key] === 0 || !isFound(chat) || KINDS[documents.label[key]! & 15] === undefined) continue
      told.add(chat)
      places.push({ chat, role: ROLES[documents.label[key]! >> 4], month: monthAt(documents.at[key]!) })
    }
    for (const chat of all) if (!told.has(chat) && isFound(chat)) places.push({ chat })
  }
  const { ranking, excludes } = ranked(view, { ...asked, seen })
  if (ranking.units === 0) return ranking.chats.map(({ key }) => ({ chat: key }))
  if (excludes.length === 0) return places
  const keys = [...new Set(places.map(({ chat }) => chat))].slice(0, MOST_CHECKED)
  const isExcluded = exclusion(view, excludes, ['said', 'thought', 'tools', 'title'], asked.clean)
  const left = new Set(keys.filter((key) => !isExcluded(key)))
  return places.filter(({ chat }) => left.has(chat))
}

function counted(view: SearchView, input: SearchInput, places: Place[]): Partial<Facets> {
  const facts = new Map(
    view.chatFacts(new Set(places.map(({ chat }) => chat))).map((each) => [each.key, each]),
  )
  const chosen = choiceOf(input)
  const sets = new Map(NAMES.map((name) => [name, new Map<string, Set<number>>()]))
  const known = new Map<ChatFacts, Set<FacetName>>()
  for (const place of places) {
    const chat = facts.get(place.chat)
    if (!chat) continue
    const values: Record<FacetName, string[]> = {
      source: [chat.source],
      workspace: chat.workspace === undefined ? [] : [chat.workspace],
      model: chat.models,
      role: place.role === undefined ? [] : [place.role],
      month: place.month === undefined ? [] : [place.month],
    }
    const failed = known.get(chat) ?? new Set(CHAT_FACETS.filter((name) => !chosen[name](values[name])))
    known.set(chat, failed)
    const missed = [...failed, ...PLACE_FACETS.filter((name) => !chosen[name](values[name]))]
    for (const name of missed.length === 0 ? NAMES : missed.length === 1 ? missed : []) {
      const set = sets.get(name)!
      for (const value of values[name]) {
        const chats = set.get(value)
        if (chats) chats.add(chat.key)
        else set.set(value, new Set([chat.key]))
      }
    }
  }
  return Object.fromEntries([...sets].map(([name, values]) => [name, listed(name, values)]))
}

const CHAT_FACETS: FacetName[] = ['source', 'workspace', 'model']
const PLACE_FACETS: FacetName[] = ['role', 'month']

/** Whether what is chosen of a facet lets these values through. */
function choiceOf(input: SearchInput): Record<FacetName, (values: string[]) => boolean> {
  const anyOf = (
    given: string | string[] | undefined,
    fits = (value: string, one: string) => value === one,
  ) => {
    const list = given === undefined ? [] : [given].flat()
    return (values: string[]) =>
      list.length === 0 || values.some((value) => list.some((one) => fits(value, one)))
  }
  return {
    source: anyOf(input.source),
    workspace: anyOf(input.workspace, isInFolder),
    model: anyOf(input.model),
    role: anyOf(input.role_filter),
    month: anyOf(input.months),
  }
}

function isInFolder(path: string, folder: string): boolean {
  const [inside, around] = [folderKey(path), folderKey(folder)]
  if (!/[\\/:]/.test(folder)) return inside.toLowerCase().endsWith(`/${folder.toLowerCase()}`)
  return inside === around || inside.startsWith(`${around}/`)
}

function listed(name: FacetName, values: Map<string, Set<number>>): Facet[] {
  const all = [...values].map(([value, chats]) => ({ value, chats }))
  const facets =
    name === 'workspace'
      ? // A folder stands for those below it too.
        all.map(({ value }) => ({
          value,
          chats: new Set(all.flatMap((each) => (isInFolder(each.value, value) ? [...each.chats] : []))).size,
        }))
      : all.map(({ value, chats }) => ({ value, chats: chats.size }))
  return facets
    .sort((a, b) =>
      name === 'month' ? b.value.localeCompare(a.value) : b.chats - a.chats || a.value.localeCompare(b.value),
    )
    .slice(0, MOST)
}

/** The month of a time in seconds, `2026-05`, in the user's zone. Times of one hour are of one month. */
function months(): (at: number) => string | undefined {
  const known = new Map<number, string>()
  return (at) => {
    if (at === 0) return undefined
    const hour = Math.floor(at / 3_600)
    const month = known.get(hour) ?? dayOf(hour * 3_600_000).slice(0, 7)
    known.set(hour, month)
    return month
  }
}

function cleaned(facets: Partial<Facets>, clean: Clean): Facets {
  return clean({ source: [], workspace: [], model: [], role: [], month: [], ...facets }, ANYWHERE)
}
