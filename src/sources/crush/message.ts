import type { Attachment, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, millis, number, object, parsed, plain, string, words } from '../json.ts'

/** A row of `messages`, whose parts are `{type, data}`. */
export function messageOf(row: Json, parts: Json[], isSubagent: boolean): Message | undefined {
  const id = words(row.id)
  const order = number(row.row)
  if (!id || order === undefined) return undefined
  const data = (type: string) =>
    parts.filter((part) => part.type === type).map((part) => object(part.data) ?? {})
  const about = { id, order, createdAt: millis(row.created_at) }
  const text = data('text')
    .map((part) => string(part.text) ?? '')
    .join('\n')
    .trim()
  if (row.role === 'user') {
    const shell = data('shell_command').map(shellText).join('\n')
    if (!text && shell) return { ...about, role: 'user', kind: 'command', text: shell }
    const attachments = [...data('binary').map(binaryOf), ...data('image_url').map(imageOf)]
    if (!text && attachments.length === 0) return undefined
    const kind = isSubagent ? 'delegated' : text ? 'request' : 'injected'
    return { ...about, role: 'user', kind, text, ...(attachments.length > 0 && { attachments }) }
  }
  if (row.role === 'assistant') {
    const thinking = data('reasoning')
      .map((part) => string(part.thinking) ?? '')
      .join('\n')
      .trim()
    const toolCalls = data('tool_call').map(callOf)
    const [finish] = data('finish')
    const failure = finish?.reason === 'error' ? words(finish.message) : undefined
    if (!text && !thinking && toolCalls.length === 0 && !failure) return undefined
    const isSummary = row.is_summary_message === 1
    const outcome =
      finish?.reason === 'error' ? 'failed' : finish?.reason === 'canceled' ? 'cancelled' : undefined
    return {
      ...about,
      role: 'assistant',
      kind: isSummary ? 'summary' : 'answer',
      text: text || failure || '',
      ...(thinking && { thinking }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(words(row.model) && { model: words(row.model) }),
      ...(outcome && { outcome }),
    }
  }
  const toolResults = data('tool_result').map(resultOf)
  if (row.role === 'tool' && toolResults.length > 0)
    return { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
  if (row.role === 'system' && text) return { ...about, role: 'system', kind: 'injected', text }
  return undefined
}

/** Tools of a server are named `mcp_<server>_<tool>`: where one ends cannot be told. */
function callOf(call: Json): ToolCall {
  return { id: string(call.id) ?? '', tool: words(call.name) ?? 'unknown', args: parsed(call.input) }
}

function resultOf(result: Json): ToolResult {
  const callId = string(result.tool_call_id) ?? ''
  const text = plain(result.content)
  return result.is_error === true ? { callId, error: text || 'failed' } : { callId, text }
}

function shellText({ command, output, exit_code }: Json): string {
  const code = number(exit_code)
  return [`!${plain(command)}`, plain(output), code ? `exit ${code}` : ''].filter(Boolean).join('\n')
}

/** Written with the names of Go's fields, or in lower case. */
function binaryOf(part: Json): Attachment {
  const file = words(part.Path) ?? words(part.path)
  const mimeType = words(part.MIMEType) ?? words(part.mime_type)
  const data = words(part.Data) ?? words(part.data)
  return {
    name: file?.split(/[\\/]/).at(-1) ?? 'file',
    type: mimeType?.startsWith('image/') ? 'image' : 'file',
    ...(file && { path: file }),
    ...(mimeType && { mimeType }),
    ...(data && { data, bytes: Buffer.byteLength(data, 'base64') }),
  }
}

function imageOf(part: Json): Attachment {
  const url = words(part.url)
  return { name: 'image', type: 'image', ...(url && !url.startsWith('data:') && { url }) }
}
