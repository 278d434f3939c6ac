import type { Archive } from '../../archive/archive.ts'
import type { Role } from '../../model/chat.ts'
import { RecollectError } from '../../model/errors.ts'
import { redactJson } from '../../platform/redact.ts'
import { explained } from '../../search/explained.ts'
import { type SearchAnswer, searchConversations } from '../../search/search.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { count, moment, wholeNumber } from '../format.ts'
import { results } from '../results.ts'
import { showChat } from './show.ts'

interface Options extends GlobalOptions {
  source?: string
  workspace?: string
  since?: string
  until?: string
  role?: string
  tools?: boolean
  all?: boolean
  limit?: string
  fuzzy?: boolean
  expand?: boolean
  scope?: string
  exclude?: string[]
  open?: string | boolean
  reveal?: boolean
}

const ROLES: Role[] = ['user', 'assistant', 'system', 'tool']

export async function search(words: string[], options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    const answer = await find(archive, words.join(' '), options)
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.results.length === 0) {
      const { chats } = await archive.overview()
      console.log(
        `Nothing found in ${count(chats, 'chat')}. Try other words, or \`recollect sync\` if it is new.`,
      )
      for (const note of [...explained(answer), ...(answer.notes ?? [])]) console.log(note)
    } else if (options.open) await openAt(archive, answer, options)
    else console.log(results(answer))
  })
}

export async function find(archive: Archive, query: string, options: Options): Promise<SearchAnswer> {
  const answer = await searchConversations(archive, {
    intent_query: query,
    source: options.source,
    workspace: options.workspace,
    dateFrom: moment(options.since),
    dateTo: moment(options.until, true),
    ...(options.role && { role_filter: [roleNamed(options.role)] }),
    include_tools_in_search: options.tools ?? true,
    match: options.all ? 'all' : 'any',
    precision_mode: options.fuzzy ? 'fuzzy' : 'basic',
    expand: options.expand ? 'auto' : 'off',
    ...(options.scope && { scope: scopeNamed(options.scope) }),
    ...(options.exclude && { exclude_terms: options.exclude }),
    limit_chats: wholeNumber(options.limit, 'limit', 1) ?? 10,
  })
  return options.reveal ? answer : redactJson(answer)
}

/** Opens the reader where the words stand. */
async function openAt(archive: Archive, answer: SearchAnswer, options: Options): Promise<void> {
  const number = wholeNumber(options.open === true ? '1' : String(options.open), 'open', 1)!
  const result = answer.results[number - 1]
  if (!result) {
    throw new RecollectError('INVALID_ARGUMENT', `There are only ${answer.results.length} results.`)
  }
  const hit = result.snippets.find((snippet) => snippet.source !== 'title')?.index ?? 0
  const from = String(Math.max(0, hit - 1))
  await showChat(archive, `${result.source}:${result.chatId}`, { reveal: options.reveal, from })
}

const SCOPES = ['content', 'title', 'both'] as const

function scopeNamed(name: string): (typeof SCOPES)[number] {
  const scope = SCOPES.find((each) => each === name)
  if (scope) return scope
  throw new RecollectError('INVALID_ARGUMENT', `"${name}" is no scope.`, `Scopes are: ${SCOPES.join(', ')}.`)
}

function roleNamed(name: string): Role {
  if (ROLES.includes(name as Role)) return name as Role
  throw new RecollectError('INVALID_ARGUMENT', `"${name}" is no role.`, `Roles are: ${ROLES.join(', ')}.`)
}
