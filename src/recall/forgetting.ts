import type { Archive, ArchivedChat, ForgottenChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'

/** Which chats are to be erased: named ones, and those of a project or a time. */
export interface Unwanted {
  chatIds?: string[]
  workspace?: string
  /** Those that ended before this moment. */
  before?: number
}

/** Those that were named, and those of the project or time: each once. Sub-agents' chats are erased with the chat they belong to. */
export async function unwantedChats(
  archive: Archive,
  { workspace, before }: Unwanted,
  named: ArchivedChat[],
): Promise<ArchivedChat[]> {
  if (workspace === '')
    throw new RecollectError('INVALID_ARGUMENT', 'Which workspace? Its name is empty.', 'Name a folder.')
  const found =
    workspace !== undefined || before !== undefined
      ? await archive.listChats({ workspace, author: 'me', subagents: true }, { limit: 1_000_000 })
      : []
  const old = found.filter((chat) => before === undefined || (chat.updatedAt ?? 0) < before)
  return [...new Map([...named, ...old].map((chat) => [chat.key, chat])).values()]
}

/** How much would be erased. */
export async function countUnwanted(
  archive: Archive,
  chats: ArchivedChat[],
): Promise<{ chats: number; messages: number }> {
  const all = new Map(chats.map((chat) => [chat.key, chat.messageCount]))
  for (const chat of chats) {
    const { subagents } = await archive.relatives(chat)
    for (const each of subagents) if (each.subagent) all.set(each.key, each.messageCount)
  }
  return { chats: all.size, messages: [...all.values()].reduce((sum, count) => sum + count, 0) }
}

/** The forgotten chat meant by an id, a unique beginning of one, or `source:id`. */
export function whichForgotten(all: ForgottenChat[], reference: string): ForgottenChat {
  const nameOf = ({ source, id }: ForgottenChat) => `${source}:${id}`
  const whole = all.filter((each) => each.id === reference || nameOf(each) === reference)
  const begun = all.filter((each) => each.id.startsWith(reference) || nameOf(each).startsWith(reference))
  const found = whole.length > 0 ? whole : begun
  if (reference !== '' && found.length === 1) return found[0]!
  if (reference === '' || found.length === 0)
    throw new RecollectError(
      'SESSION_NOT_FOUND',
      `No forgotten chat has the id ${JSON.stringify(reference)}.`,
      '`recollect forget --list` shows all of them.',
    )
  throw new RecollectError(
    'AMBIGUOUS_ID',
    `${found.length} forgotten chats begin so: ${found.slice(0, 5).map(nameOf).join(', ')}.`,
    'Give more of the id.',
  )
}
