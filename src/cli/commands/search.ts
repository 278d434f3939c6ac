import type { Answers } from '../../capabilities/index.ts'
import { ROLES, type Role } from '../../model/chat.ts'
import { RecollectError } from '../../model/errors.ts'
import { explained } from '../../search/explained.ts'
import {
  type Ask,
  type CallOptions,
  type OriginOptions,
  originIn,
  readerOf,
  windowOf,
  withGate,
} from '../call.ts'
import { EXIT } from '../errors.ts'
import { count, wholeNumber } from '../format.ts'
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
    const answer = await ask('search_conversations', inputOf(words.join(' '), options))
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.results.length === 0) {
      const { chats } = await readerOf(archive, options).overview()
      console.log(
        `Nothing found in ${count(chats, 'chat')}. Try other words, or \`recollect sync\` if the chat is new.`,
      )
      for (const note of [...explained(answer), ...(answer.notes ?? [])]) console.log(oneLine(note))
    } else if (options.open) await openAt(ask, answer, options)
    else console.log(results(answer))
    if (answer.results.length === 0) process.exitCode = EXIT.notFound
  })
}

function inputOf(query: string, options: Options) {
  return {
    ...(options.regex ? { regex: query } : { intent_query: query }),
    source: options.source,
    workspace: options.workspace,
    ...originIn(options),
    time_window: windowOf(options),
    ...(options.role && { role_filter: [roleNamed(options.role)] }),
    include_tools_in_search: options.tools ?? true,
    match: options.all ? ('all' as const) : ('any' as const),
    precision_mode: options.fuzzy ? ('fuzzy' as const) : ('basic' as const),
    expand: options.expand ? ('auto' as const) : ('off' as const),
    ...(options.scope && { scope: scopeNamed(options.scope) }),
    ...(options.exclude && { exclude_terms: options.exclude }),
    limit_chats: wholeNumber(options.limit, 'limit', 1) ?? 10,
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

function scopeNamed(name: string): (typeof SCOPES)[number] {
  const scope = SCOPES.find((each) => each === name)
  if (scope) return scope
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `Unknown scope "${name}".`,
    `Valid values: ${SCOPES.join(', ')}.`,
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
