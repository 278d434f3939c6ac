import type { ArchivedChat, ArchivedMessage } from '../archive/archive.ts'
import type { Attachment, Chat, Message, ToolResult } from '../model/chat.ts'
import { isWithinFolder } from '../model/folder-key.ts'
import { repositoryKey } from '../model/repository.ts'
import { redactHeader, redactMessage } from '../platform/redact-message.ts'
import type { Seen } from '../platform/secrets/seen.ts'
import type { HubSpace, Share } from './settings.ts'

/** Whether a chat goes to a space: nothing does that its owner did not name. */
export function isShared(chat: Pick<Chat, 'workspace' | 'repository'>, { shares, kind }: HubSpace): boolean {
  return shares.some((share) => matches(chat, share, kind))
}

function matches(
  { workspace, repository }: Pick<Chat, 'workspace' | 'repository'>,
  share: Share,
  kind: HubSpace['kind'],
): boolean {
  if (share.all) return kind === 'own'
  if (share.repository) return isSameRepository(repository, share.repository)
  return (
    share.workspace !== undefined && workspace !== undefined && isWithinFolder(workspace, share.workspace)
  )
}

function isSameRepository(one: string | undefined, other: string): boolean {
  const key = one === undefined ? undefined : repositoryKey(one)
  return key !== undefined && key === repositoryKey(other)
}

/** What of a chat's facts goes to a space. A command that resumes it is of this machine, and stays here. */
export function outgoingHeader(chat: ArchivedChat, space: HubSpace, seen: Seen): Chat {
  const { source, id, title, workspace, repository, branch, createdAt, updatedAt } = chat
  const { parentId, forkOf, subagent, background, status, format } = chat
  const header: Chat = {
    ...{ source, id, title, workspace, repository, branch, createdAt, updatedAt },
    ...{ parentId, forkOf, subagent, background, status, format },
  }
  return space.kind === 'own' ? header : redactHeader(header, seen)
}

/**
 * What of a message goes to a space; nothing of what tools put into prompts. An own space gets all the rest. Before a
 * team's, secrets are taken out, and what tools answered, where most of them are; images cannot be looked through.
 */
export function outgoingMessage(message: ArchivedMessage, space: HubSpace, seen: Seen): Message | undefined {
  if (message.kind === 'injected') return undefined
  const { key: _key, index: _index, copy: _copy, ...said } = message
  if (space.kind === 'own') return said
  const clean = redactMessage(said as Message, seen)
  const attachments = clean.attachments?.map(withoutData)
  const less = { ...clean, ...(attachments && { attachments }) }
  return space.answers ? less : namesOnly(less)
}

function withoutData({ data: _, ...attachment }: Attachment): Attachment {
  return attachment
}

/** Which tools were called, and whether they failed; not what they gave back. */
function namesOnly(message: Message): Message {
  const { toolResults } = message
  const less = toolResults ? { ...message, toolResults: toolResults.map(withoutAnswer) } : message
  return message.kind === 'tool' ? { ...less, text: '' } : less
}

function withoutAnswer({ callId, error, exitCode, durationMs, chat }: ToolResult): ToolResult {
  return {
    callId,
    ...(error !== undefined && { error: 'failed' }),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
    ...(chat !== undefined && { chat }),
  }
}
