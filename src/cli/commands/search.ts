import type { Archive } from '../../archive/archive.ts'
import type { Answers } from '../../capabilities/index.ts'
import { ROLES, type Role } from '../../model/chat.ts'
import { RecollectError } from '../../model/errors.ts'
import { explained } from '../../search/explained.ts'
import type { SearchInput } from '../../search/input.ts'
import { notSaved } from '../../service/noter.ts'
import {
  type Ask,
  type CallOptions,
  noterOf,
  type OriginOptions,
  originIn,
  readerOf,
  windowOf,
  withGate,
} from '../call.ts'
import { EXIT } from '../errors.ts'
import { count, wholeNumber } from '../format.ts'
import { timeWithoutChats } from '../no-chats.ts'
import { oneLine } from '../paint.ts'
import { results } from '../results.ts'
import { showChat } from './show.ts'

interface Options extends CallOptions, OriginOptions {
  source?: string
  workspace?: string
  since?: string
  until?: string
  role?: string
  tools?: boolean
  all?: boolean
  model?: string[]
  starred?: boolean
  sort?: string
  save?: string
  saved?: string
  limit?: string
  fuzzy?: boolean
  regex?: boolean
  expand?: boolean
  scope?: string
  exclude?: string[]
  open?: string | boolean
}

export async function search(words: string[], options: Options): Promise<void> {
  await withGate(options, async (ask, archive) => {
    const kept = options.saved === undefined ? {} : await savedInput(archive, options)
    const input = { ...kept, ...inputOf(words.join(' '), options, kept) }
    const answer = await ask('search_conversations', input)
    if (options.save !== undefined) {
      const given = Object.entries(input).filter(([, value]) => value !== undefined)
      const { name } = await noterOf(archive, options).saveSearch(options.save, Object.fromEntries(given))
      if (!options.json) console.error(`Saved. Run it again with: recollect search --saved ${quoted(name)}`)
    }
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.results.length === 0) {
      const { chats } = await readerOf(archive, options).overview()
      console.log(
        (await timeWithoutChats(ask, options)) ??
          `Nothing found in ${count(chats, 'chat')}. Try other words, or \`recollect sync\` if the chat is new.`,
      )
      for (const note of [...explained(answer), ...(answer.notes ?? [])]) console.log(oneLine(note))
    } else if (options.open) await openAt(ask, answer, options)
    else console.log(results(answer))
    if (answer.results.length === 0) process.exitCode = EXIT.notFound
  })
}

async function savedInput(archive: Archive, options: Options): Promise<SearchInput> {
  const all = await readerOf(archive, options).savedSearches()
  const saved = all.find(({ name }) => name.toLowerCase() === options.saved?.toLowerCase())
  if (!saved) throw notSaved(options.saved ?? '', all)
  return saved.input as SearchInput
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}

/** What was said here; a saved search says the rest. */
function inputOf(query: string, options: Options, kept: SearchInput): SearchInput {
  const given = said(query, options)
  if (Object.keys(kept).length === 0) return given
  const isNew = (name: keyof SearchInput) => {
    if (name === 'intent_query') return query !== ''
    const isDefault = { include_tools_in_search: true, match: 'any', precision_mode: 'basic', expand: 'off' }
    return given[name] !== undefined && isDefault[name as keyof typeof isDefault] !== given[name]
  }
  return Object.fromEntries(Object.entries(given).filter(([name]) => isNew(name as keyof SearchInput)))
}

function said(query: string, options: Options): SearchInput {
  return {
    ...(options.regex ? { regex: query } : { intent_query: query }),
    source: options.source,
    workspace: options.workspace,
    model: options.model,
    ...(options.starred && { starred: true }),
    ...(options.sort && { sort: oneOf(options.sort, 'order', SORTS) }),
    ...originIn(options),
    time_window: windowOf(options),
    ...(options.role && { role_filter: [roleNamed(options.role)] }),
    include_tools_in_search: options.tools ?? true,
    match: options.all ? ('all' as const) : ('any' as const),
    precision_mode: options.fuzzy ? ('fuzzy' as const) : ('basic' as const),
    expand: options.expand ? ('auto' as const) : ('off' as const),
    ...(options.scope && { scope: oneOf(options.scope, 'scope', SCOPES) }),
    ...(options.exclude && { exclude_terms: options.exclude }),
    limit: wholeNumber(options.limit, 'limit', 1) ?? 10,
  }
}

/** Opens the reader where the words stand. */
async function openAt(ask: Ask, answer: Answers['search_conversations'], options: Options): Promise<void> {
  const number = wholeNumber(options.open === true ? '1' : String(options.open), 'open', 1)!
  const result = answer.results[number - 1]
  if (!result) {
    throw new RecollectError('INVALID_ARGUMENT', `There are only ${answer.results.length} results.`)
  }
  const hit = result.snippets.find((snippet) => snippet.source !== 'title')?.index ?? 0
  const from = String(Math.max(0, hit - 1))
  await showChat(ask, `${result.source}:${result.chatId}`, { reveal: options.reveal, from })
}

const SCOPES = ['content', 'title', 'both'] as const

const SORTS = ['relevance', 'date'] as const

function oneOf<Word extends string>(given: string, what: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === given)
  if (word) return word
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `Unknown ${what} "${given}".`,
    `Valid values: ${words.join(', ')}.`,
  )
}

function roleNamed(name: string): Role {
  if (ROLES.includes(name as Role)) return name as Role
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `Unknown role "${name}".`,
    `Valid values: ${ROLES.join(', ')}.`,
  )
}
