import type { MessageKind } from '../../model/chat.ts'
import { dateTime } from '../../model/day.ts'
import type { LiveChat } from '../live.ts'
import { originOf, saidBy } from '../origin.ts'

/** How chats become a file, a piece at a time: an export may be larger than memory. */
export interface Format {
  extension: string
  /** How every such file begins: by this an earlier export is told from a file of somebody else's. */
  mark?: string
  /** What stands before the first chat. */
  begin: string
  /** One chat; `number` counts from 0. */
  chat(live: LiveChat, number: number): Iterable<string>
  end: string
}

/** Who is speaking, in words for people. */
export const SPEAKERS: Record<MessageKind, string> = {
  request: 'You',
  answer: 'Assistant',
  tool: 'Tool',
  delegated: 'Task for a sub-agent',
  summary: 'Summary',
  command: 'Command',
  injected: 'Added context',
  notice: 'Notice',
}

/** The same in a chat: what others asked is told as theirs. */
export function speakerIn({ origin }: LiveChat['chat'], kind: MessageKind): string {
  return kind === 'request' && origin ? origin.author : SPEAKERS[kind]
}

/** What stands below its title: where, whose, when, how long. */
export function factsOf(chat: LiveChat['chat']): string[] {
  const { source, workspace, repository, branch, models, createdAt, messageCount } = chat
  const whose = saidBy(originOf(chat))
  const all = [source, workspace, repository, whose, branch, models.join(', '), dateTime(createdAt)]
  return [...all.flatMap((fact) => fact || []), `${messageCount} messages`]
}

/** A tool's arguments or answer as text. */
export function written(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}
