import type { ArchivedChat, SearchView } from '../archive/archive.ts'
import { dayOf } from '../model/day.ts'
import { MOST_DEALT } from './deal.ts'
import type { SearchInput } from './input.ts'
import type { ChatScore } from './rank.ts'
import { type Clean, type Marker, type Snippet, snippetOf, titleSnippet } from './snippet.ts'

export interface ChatResult {
  chatId: string
  sessionId: string
  title: string
  source: string
  workspace?: string
  repository?: string
  /** Whose it is and on which machine it was read, where that is not this one. */
  author?: string
  machine?: string
  /** `YYYY-MM-DD` of its last message. */
  date: string
  updatedAt?: number
  relevance: number
  /** Messages that hold any of the words. */
  hits: number
  timeRange: { from?: number; to?: number }
  /** Starred. */
  pinned?: true
  snippets: Snippet[]
}

const MOST_SNIPPETS = 200
const WIDEST = 2_000

/** A chat as it is told: what it is, and the best of its messages. */
export function resultOf(
  view: SearchView,
  found: ChatScore,
  relevance: number,
  { mark, clean }: { mark: Marker; clean: Clean },
  input: SearchInput,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number },
): ChatResult {
  const cleanIn: Clean = (value) => clean(value, found)
  const chat = cleanIn(view.chat(found.key))
  const most = snippetsPerChat(input)
  const window = clamped(input.snippet_window, 64, 8, WIDEST)
  const snippets: Snippet[] = []
  for (const { key, score } of found.best) {
    if (snippets.length >= most) break
    const message = view.saidIn(key)
    const at = message.createdAt ?? chat.updatedAt ?? 0
    if (message.createdAt !== undefined && (at < from || at > to)) continue
    const whole = () => view.message(key)
    const withTools = input.include_tools_in_search ?? true
    snippets.push(snippetOf(message, whole, { mark, clean: cleanIn }, window, rounded(score), withTools))
  }
  if (found.inTitle && snippets.length < (input.limit_snippets_per_chat ?? 1))
    snippets.push(titleSnippet(chat, mark))
  return {
    chatId: chat.id,
    sessionId: chat.id,
    title: chat.title,
    source: chat.source,
    workspace: chat.workspace,
    ...originFields(chat),
    date: dayOf(chat.updatedAt ?? chat.createdAt),
    updatedAt: chat.updatedAt,
    relevance: rounded(relevance),
    hits: found.hits,
    timeRange: { from: chat.createdAt, to: chat.updatedAt },
    ...(chat.pinned && { pinned: true as const }),
    snippets,
  }
}

/** Of what is not known nothing is said. */
export function originFields({
  repository,
  origin,
}: ArchivedChat): Pick<ChatResult, 'repository' | 'author' | 'machine'> {
  return {
    ...(repository && { repository }),
    ...(origin && { author: origin.author, machine: origin.machine }),
  }
}

/** At most; where none were asked for, they are dealt. */
export function snippetsPerChat({ limit_snippets_per_chat: given }: SearchInput): number {
  return clamped(given, MOST_DEALT, 0, MOST_SNIPPETS)
}

function rounded(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1e5) / 1e5
}

export function clamped(given: number | undefined, otherwise: number, least: number, most: number): number {
  if (given === undefined || !Number.isFinite(given)) return otherwise
  return Math.min(most, Math.max(least, Math.floor(given)))
}
