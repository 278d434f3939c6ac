import type { Attachment, Message, MessageKind, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, object, objects, plain, string, words } from '../json.ts'

/** A message as Goose keeps it, in a row or in a line. */
export interface GooseRecord {
  id: string
  order: number
  role: string
  createdAt?: number
  content: Json[]
  metadata?: Json
  /** In how many rows it was stored. */
  pieces: number
}

/** What text under the user's name is, by the type of the session: nobody types to a sub-agent or a schedule. */
export function sessionKind(type: string | undefined): MessageKind {
  if (type === 'sub_agent') return 'delegated'
  return type === 'scheduled' ? 'command' : 'request'
}

/** One record may hold tool results and text; they become messages of their own. */
export function recordMessages(record: GooseRecord, typedKind: MessageKind, model?: string): Message[] {
  const { id, order, createdAt, metadata } = record
  const texts: string[] = []
  const thoughts: string[] = []
  const notices: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const attachments: Attachment[] = []
  const shown: Attachment[] = []
  const answers: string[] = []
  for (const part of record.content) {
    switch (part.type) {
      case 'text':
        texts.push(string(part.text) ?? '')
        break
      case 'thinking':
      case 'reasoning':
        thoughts.push(string(part.thinking) ?? string(part.text) ?? '')
        break
      case 'image':
        attachments.push(imageOf(part))
        break
      case 'toolRequest':
      case 'frontendToolRequest':
        toolCalls.push(callOf(part, toolCalls.length))
        break
      case 'toolResponse':
        toolResults.push(resultOf(part))
        shown.push(
          ...objects(contentOf(part))
            .filter((item) => item.type === 'image')
            .map(imageOf),
        )
        break
      case 'actionRequired': {
        const answer = answerIn(object(part.data))
        if (answer) answers.push(answer)
        break
      }
      case 'systemNotification':
      case 'contextLengthExceeded':
      case 'summarizationRequested':
        notices.push(string(part.msg) ?? '')
        break
    }
  }
  // A streamed answer was stored piece by piece, cut anywhere.
  const text = texts.join(record.pieces > 1 ? '' : '\n').trim()
  const about = { createdAt, attachments: attachments.length > 0 ? attachments : undefined }
  const messages: Message[] = []
  if (record.role === 'assistant') {
    if (
      text ||
      thoughts.length > 0 ||
      toolCalls.length > 0 ||
      toolResults.length > 0 ||
      attachments.length > 0
    ) {
      messages.push({
        id,
        order,
        ...about,
        role: 'assistant',
        kind: onlyForAgent(metadata) ? 'injected' : 'answer',
        text,
        thinking: thoughts.join('\n').trim() || undefined,
        toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
        toolResults: toolResults.length > 0 ? toolResults : undefined,
        model: words(object(metadata?.inference)?.model) ?? model,
      })
    }
  } else if (record.role === 'user') {
    if (toolResults.length > 0) {
      messages.push({
        id: `${id}/results`,
        order,
        createdAt,
        role: 'tool',
        kind: 'tool',
        text: '',
        toolResults,
        ...(shown.length > 0 && { attachments: shown }),
      })
    }
    if (answers.length > 0) {
      const said = { role: 'user', kind: 'request', via: 'answer' } as const
      messages.push({
        id: `${id}/answer`,
        order: order + 0.125,
        createdAt,
        ...said,
        text: answers.join('\n'),
      })
    }
    if (text || attachments.length > 0) {
      // What the person does not see but the agent does stands for what was compacted.
      const kind = onlyForAgent(metadata) ? 'summary' : text ? typedKind : 'injected'
      messages.push({ id, order: order + 0.25, ...about, role: 'user', kind, text })
    }
  }
  const notice = notices.join('\n').trim()
  if (notice) {
    messages.push({
      id: `${id}/notice`,
      order: order + 0.5,
      createdAt,
      role: 'system',
      kind: 'notice',
      text: notice,
    })
  }
  return messages
}

function onlyForAgent(metadata: Json | undefined): boolean {
  return metadata?.userVisible === false
}

/** Tools are named `extension__tool`. */
function callOf(part: Json, index: number): ToolCall {
  const call = object(object(part.toolCall)?.value) ?? object(part.toolCall)
  const name = words(call?.name) ?? 'unknown'
  const cut = name.indexOf('__')
  const tool = cut > 0 ? { server: name.slice(0, cut), tool: name.slice(cut + 2) } : { tool: name }
  return { id: words(part.id) ?? `call${index}`, ...tool, args: call?.arguments }
}

function resultOf(part: Json): ToolResult {
  const callId = words(part.id) ?? ''
  const result = object(part.toolResult)
  if (result?.status === 'error') return { callId, error: plain(result.error) }
  const value = result?.value
  const text = objects(contentOf(part))
    .map(
      (item) =>
        string(item.text) ?? string(object(item.resource)?.text) ?? (item.type === 'image' ? '[image]' : ''),
    )
    .filter(Boolean)
    .join('\n')
  return object(value)?.isError === true ? { callId, error: text } : { callId, text }
}

function contentOf(part: Json): unknown {
  const value = object(part.toolResult)?.value
  return Array.isArray(value) ? value : object(value)?.content
}

function imageOf(part: Json): Attachment {
  const data = words(part.data)
  const image: Attachment = { name: 'image', type: 'image', mimeType: words(part.mimeType) }
  return data ? { ...image, bytes: Buffer.byteLength(data, 'base64'), data } : image
}

/** What the person filled in where a tool asked for it, one line for each field. */
function answerIn(data: Json | undefined): string | undefined {
  if (data?.actionType !== 'elicitationResponse') return undefined
  const given = data.user_data ?? data.userData
  const values = object(given) ? Object.values(object(given)!) : [given]
  return words(values.flatMap((value) => plain(value) || []).join('\n'))
}
