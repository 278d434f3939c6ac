import type { Attachment, Chat, Message, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, plain, string, version, words } from '../json.ts'
import type { TreeFormat } from '../tree-file.ts'

/** One row for what was said, one for each answer of the model and each result of a tool. */
export const ROWS: TreeFormat = {
  link(row) {
    const id = words(row.uuid)
    return id === undefined ? undefined : { id, parent: words(row.parentUuid) }
  },
  about: takeRow,
  message(row, order) {
    const about = { id: words(row.uuid) ?? `at-${order}`, order, createdAt: millis(row.timestamp) }
    const parts = objects(object(row.message)?.parts)
    if (row.type === 'user') return toPrompt(about, row, parts)
    if (row.type === 'assistant') return toAnswer(about, row, parts)
    if (row.type === 'tool_result') return toReply(about, row, parts)
    return undefined
  },
}

type About = Pick<Message, 'id' | 'order' | 'createdAt'>

function takeRow(chat: Chat, row: Json): void {
  chat.workspace ??= words(row.cwd)
  chat.createdAt ??= millis(row.timestamp)
  chat.format = version(row.version) ?? chat.format
  chat.branch = words(row.gitBranch) ?? chat.branch
  const origin = words(object(row.forkedFrom)?.sessionId)
  if (origin) chat.forkOf = origin
  const payload = object(row.systemPayload)
  if (row.subtype === 'custom_title') chat.title = words(payload?.customTitle) ?? chat.title
  if (row.subtype === 'parent_session') chat.parentId = words(payload?.sessionId) ?? chat.parentId
}

/** Who spoke: the tool says so itself, except in rows of before it did and in those of sub-agents. */
function toPrompt(about: About, row: Json, parts: Json[]): Message | undefined {
  const typed = words(object(row.systemPayload)?.displayText)
  const text = typed ?? textOf(parts)
  const attachments = parts.flatMap(toAttachment)
  if (!words(text) && attachments.length === 0) return undefined
  const subtype = string(row.subtype) ?? ''
  const isOthers =
    (row.provenance !== undefined && row.provenance !== 'real_user') ||
    /^(notification|cron|goal_)/.test(subtype)
  const kind = row.isSidechain === true ? 'delegated' : isOthers ? 'injected' : 'request'
  const isQueued = kind === 'request' && subtype === 'mid_turn_user_message'
  return {
    ...about,
    role: 'user',
    kind,
    text,
    ...(isQueued && { via: 'queued' as const }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function toAnswer(about: About, row: Json, parts: Json[]): Message {
  const thinking = parts.flatMap((part) => (part.thought === true ? (words(part.text) ?? []) : []))
  const toolCalls = parts.flatMap((part) => {
    const call = object(part.functionCall)
    return call ? [{ id: string(call.id) ?? '', tool: words(call.name) ?? 'unknown', args: call.args }] : []
  })
  return {
    ...about,
    role: 'assistant',
    kind: 'answer',
    text: textOf(parts),
    model: words(row.model),
    usage: toUsage(row.usageMetadata),
    ...(thinking.length > 0 && { thinking: thinking.join('\n\n') }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function toReply(about: About, row: Json, parts: Json[]): Message {
  const outcome = object(row.toolCallResult)
  const isFailure = outcome?.status === 'error' || outcome?.status === 'cancelled'
  const toolResults = parts.flatMap((part): ToolResult[] => {
    const reply = object(part.functionResponse)
    if (!reply) return []
    const callId = string(reply.id) ?? string(outcome?.callId) ?? ''
    const response = object(reply.response)
    const failure = response?.error ?? (isFailure ? (response?.output ?? outcome?.status) : undefined)
    return [
      failure === undefined
        ? { callId, text: plain(response?.output ?? response) }
        : { callId, error: plain(failure) },
    ]
  })
  return { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
}

/** What came from the cache is counted in the prompt; where a total is told, thoughts are counted once. */
function toUsage(value: unknown): Usage | undefined {
  const told = object(value)
  const input = number(told?.promptTokenCount)
  if (!told || input === undefined) return undefined
  const total = number(told.totalTokenCount)
  const output = total === undefined ? number(told.candidatesTokenCount) : Math.max(0, total - input)
  return {
    input,
    output,
    cached: number(told.cachedContentTokenCount),
    reasoning: number(told.thoughtsTokenCount),
  }
}

function textOf(parts: Json[]): string {
  return parts.flatMap((part) => (part.thought === true ? [] : (words(part.text) ?? []))).join('\n\n')
}

function toAttachment(part: Json): Attachment[] {
  const file = object(part.inlineData) ?? object(part.fileData)
  if (!file) return []
  const mimeType = words(file.mimeType)
  const data = string(file.data)
  const url = words(file.fileUri)
  return [
    {
      name: words(file.displayName) ?? url ?? 'attachment',
      type: mimeType?.split('/')[0] ?? 'file',
      mimeType,
      ...(url && { url }),
      ...(data && { data, bytes: Math.floor((data.length * 3) / 4) }),
    },
  ]
}
