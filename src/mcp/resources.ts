import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { contextPlace } from '../context/place.ts'
import { RecollectError } from '../model/errors.ts'
import type { Machine } from '../platform/machine.ts'
import { originOf } from '../recall/origin.ts'
import { cutAt, preview } from '../recall/preview.ts'
import {
  CHAT_TEMPLATE,
  CHAT_TEXT_TEMPLATE,
  CONTEXT_FILE,
  chatUri,
  LISTS,
  parsedUri,
  SHORTEST_ID,
} from '../server/uris.ts'
import { fit } from '../service/fit.ts'
import { QUOTED, quoted } from '../service/quote.ts'
import type { Reader } from '../service/reader.ts'
import { chatMarkdown, chatTurns, lastDayOf } from './turns.ts'

const PAGE = 100
/** Older chats are found by searching, not by paging through a list of resources. */
const MOST_LISTED = 500
const MOST_SESSIONS = 1_000
const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

const FIXED: Resource[] = [
  { uri: CONTEXT_FILE, name: 'context', title: "The workspace's context.md", mimeType: MARKDOWN },
  { uri: LISTS.sessions, name: 'sessions', title: 'Chats, newest first', mimeType: JSON_TYPE },
  { uri: LISTS.cliSessions, name: 'cli-sessions', title: 'Copilot CLI sessions', mimeType: JSON_TYPE },
  { uri: LISTS.workspaces, name: 'workspaces', title: 'Known workspaces', mimeType: JSON_TYPE },
  { uri: LISTS.searches, name: 'searches', title: 'Saved searches', mimeType: JSON_TYPE },
]

export const TEMPLATES = [
  { uriTemplate: CHAT_TEMPLATE, name: 'session', title: 'A chat', mimeType: JSON_TYPE },
  { uriTemplate: CHAT_TEXT_TEMPLATE, name: 'session-text', title: 'A chat to read', mimeType: MARKDOWN },
  {
    uriTemplate: `${LISTS.sessions}{?source,limit}`,
    name: 'sessions-of',
    title: 'Chats of one assistant',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${CONTEXT_FILE}{?range}`,
    name: 'context-range',
    title: 'The last entries of context.md: range=last-5-sessions',
    mimeType: MARKDOWN,
  },
]

/** Who reads, and where they work. */
export interface Backend {
  reader: Reader
  env: Machine['env']
  root?: string
  /** Characters that the client takes. */
  room: number
}

export async function listResources(
  reader: Reader,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const offset = Math.min(MOST_LISTED, Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0))
  const chats = await reader.chats({}, { limit: PAGE, offset })
  const names = await reader.namesOf(chats)
  const resources = chats.map((chat, i) => ({
    uri: chatUri(names[i]!),
    name: `${chat.source}:${chat.id}`,
    title: preview(chat.title),
    mimeType: JSON_TYPE,
    ...(chat.updatedAt !== undefined && {
      annotations: { lastModified: new Date(chat.updatedAt).toISOString() },
    }),
  }))
  const next = offset + PAGE
  return {
    resources: offset === 0 ? [...FIXED, ...resources] : resources,
    ...(chats.length === PAGE && next < MOST_LISTED && { nextCursor: String(next) }),
  }
}

export async function readResource(backend: Backend, uri: string): Promise<ReadResourceResult> {
  const parsed = parsedUri(uri)
  if (!parsed) throw new ResourceNotFoundError(uri)
  const { path, chat, query } = parsed
  if (chat !== undefined) {
    if (path !== LISTS.sessions) throw new ResourceNotFoundError(uri)
    return await readChat(backend, uri, chat, Number.parseInt(query.get('from') ?? '', 10) || 1)
  }
  switch (path) {
    case CONTEXT_FILE:
      return text(uri, MARKDOWN, await contextText(backend, query.get('range')))
    case LISTS.sessions:
      return json(uri, await sessions(backend, query), backend.room)
    case LISTS.cliSessions:
      return json(uri, await cliSessions(backend), backend.room)
    case LISTS.workspaces:
      return json(uri, { workspaces: await backend.reader.workspaces() }, backend.room)
    case LISTS.searches:
      return json(uri, { searches: await savedSearches(backend) }, backend.room)
    default:
      throw new ResourceNotFoundError(uri)
  }
}

/** Each as `search_conversations` takes it. */
async function savedSearches({ reader }: Backend) {
  return (await reader.savedSearches()).map(({ name, input, savedAt }) => ({
    name,
    arguments: input,
    date: lastDayOf({ updatedAt: savedAt }),
  }))
}

/** Refuses what would never be told of, and what may be of one chat now and of another later. */
export async function checkSubscribable({ reader }: Backend, uri: string): Promise<void> {
  const { path, chat } = parsedUri(uri) ?? {}
  const isFixed = chat === undefined && FIXED.some((each) => each.uri === path)
  if (isFixed) return
  if (path !== LISTS.sessions || chat === undefined) throw new ResourceNotFoundError(uri)
  const named = chat.replace(/\.md$/, '')
  const isOfOne = named !== 'current' && named.length >= SHORTEST_ID && !(await isAmbiguous(reader, named))
  if (isOfOne) return
  throw new RecollectError('AMBIGUOUS_ID', `${uri} is not of one chat.`, 'Subscribe with the id of a chat.')
}

/** A chat that is not there yet may come. */
async function isAmbiguous(reader: Reader, named: string): Promise<boolean> {
  try {
    await reader.archived(named)
    return false
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    return error.code === 'AMBIGUOUS_ID'
  }
}

async function readChat(
  { reader, room }: Backend,
  uri: string,
  named: string,
  from: number,
): Promise<ReadResourceResult> {
  const asText = named.endsWith('.md')
  try {
    const live = await reader.whole(asText ? named.slice(0, -3) : named)
    const [name = live.chat.id] = await reader.namesOf([live.chat])
    const page = { room, uri: chatUri(name), from }
    return asText ? text(uri, MARKDOWN, chatMarkdown(live, page)) : json(uri, chatTurns(live, page), room)
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND')
      throw new ResourceNotFoundError(uri)
    throw error
  }
}

/** The file, or how to start one where there is none. */
export async function contextText(
  { reader, env, root, room }: Backend,
  range?: string | null,
): Promise<string> {
  const place = contextPlace({ env, root }, 'READ_ERROR')
  const last = /^last-(\d{1,4})-sessions?$/.exec(range ?? '')?.[1]
  try {
    const { content } = await reader.context(place, last ? { lastSessions: Number(last) } : {})
    const shown = cutAt(content, room - 500)
    const rest = `\n\n${place.name} is longer: read_context gives the rest, ${CONTEXT_FILE}?range=last-5-sessions its end.\n`
    return quoted(place.name, shown) + (shown.length < content.length ? rest : '')
  } catch (error) {
    if (!(error instanceof RecollectError && error.code === 'FILE_NOT_FOUND')) throw error
    return `There is no ${place.name} in this workspace yet.\n\nCall \`init_context\` to start one, then \`append_context\` to hand over what the next agent or person should know.\n`
  }
}

async function sessions({ reader }: Backend, query: URLSearchParams): Promise<unknown> {
  const asked = Number.parseInt(query.get('limit') ?? '', 10)
  const limit = Math.min(MOST_SESSIONS, asked > 0 ? asked : PAGE)
  const named = query.get('source')
  const source = named ? await reader.sourceNamed(named) : undefined
  const chats = await reader.chats({ source }, { limit })
  const files = await reader.files(chats)
  return {
    sessions: chats.map((chat, i) => ({
      id: chat.id,
      title: chat.title,
      date: lastDayOf(chat),
      messageCount: chat.messageCount,
      filePath: files[i]?.[0],
      source: chat.source,
      workspace: chat.workspace,
      ...originOf(chat),
    })),
  }
}

async function cliSessions({ reader }: Backend): Promise<unknown> {
  // Of other machines nothing can be gone on with here.
  const chats = await reader.chats({ source: 'copilot-cli', machine: 'this' }, { limit: PAGE })
  return {
    sessions: chats.map((chat) => ({
      id: chat.id,
      cwd: chat.workspace,
      repository: chat.repository,
      branch: chat.branch,
      summary: chat.title,
      date: lastDayOf(chat),
      updatedAt: chat.updatedAt,
      resumeCommand: chat.resume ?? (/^[\w-]+$/.test(chat.id) ? `copilot --resume=${chat.id}` : undefined),
    })),
  }
}

/** As much as the client takes; lists are shortened. */
function json(uri: string, value: unknown, room: number): ReadResourceResult {
  const { value: fitting, next } = fit({ quoted: QUOTED, ...(value as object) }, room - 200)
  const rest = next && { leftOut: { hint: 'The list is longer: list_chats pages through all chats.' } }
  return text(uri, JSON_TYPE, JSON.stringify({ ...(fitting as object), ...rest }))
}

function text(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] }
}
