import path from 'node:path'
import type { Chat, FileTouch, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, parsed, plain, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'

/** `sessions/<id>.json`, rewritten as a whole. The address of the person in it is not kept. */
export function* readSession(file: string): Generator<Found> {
  let session: Json | undefined
  try {
    session = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  if (!session || !Array.isArray(session.chatHistory)) {
    yield { problem: { reason: 'not a session of Auggie' } }
    return
  }
  const model = words(object(session.agentState)?.modelId)
  const messages = objects(session.chatHistory).flatMap((turn, index) => messagesOf(turn, index, model))
  if (messages.length === 0) return
  const chat: Chat = {
    source: 'auggie',
    id: words(session.sessionId) ?? path.basename(file, '.json'),
    title: words(session.customTitle) ?? words(session.title),
    createdAt: millis(session.created),
    updatedAt: millis(session.modified),
    parentId: words(session.parentConversationId),
    format: 'session',
  }
  yield { chat }
  for (const message of messages) yield { chatId: chat.id, message }
}

/** One exchange with the model: a request or results of tools, and the answer. */
function messagesOf(turn: Json, index: number, model: string | undefined): Message[] {
  const exchange = object(turn.exchange) ?? {}
  const id = words(exchange.request_id) ?? `turn-${index}`
  const createdAt = millis(turn.finishedAt)
  const messages: Message[] = []
  const toolResults = resultsIn(objects(exchange.request_nodes))
  if (toolResults.length > 0)
    messages.push({
      id: `${id}/results`,
      order: index * 3,
      role: 'tool',
      kind: 'tool',
      createdAt,
      text: '',
      toolResults,
    })
  const asked = words(exchange.request_message)
  if (asked)
    messages.push({
      id: `${id}/user`,
      order: index * 3 + 1,
      role: 'user',
      kind: turn.isHistorySummary === true ? 'summary' : 'request',
      createdAt,
      text: asked,
    })
  const text = string(exchange.response_text) ?? ''
  const toolCalls = callsIn(objects(exchange.response_nodes))
  if (words(text) || toolCalls.length > 0) {
    const files = changedIn(turn.changedFiles)
    messages.push({
      id,
      order: index * 3 + 2,
      role: 'assistant',
      kind: 'answer',
      createdAt,
      text,
      ...(model && { model }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(files.length > 0 && { files }),
      ...(turn.completed === false && { outcome: 'cancelled' as const }),
    })
  }
  return messages
}

/** Nodes are numbered kinds; what they carry has a name. */
function callsIn(nodes: Json[]): ToolCall[] {
  return nodes.flatMap((node) => {
    const call = object(node.tool_use)
    if (!call) return []
    const server = words(call.mcp_server_name)
    return [
      {
        id: string(call.tool_use_id) ?? '',
        ...(server && { server }),
        tool: words(call.mcp_tool_name) ?? words(call.tool_name) ?? 'unknown',
        args: parsed(call.input_json),
      },
    ]
  })
}

function resultsIn(nodes: Json[]): ToolResult[] {
  return nodes.flatMap((node) => {
    const result = object(node.tool_result_node)
    if (!result) return []
    const callId = string(result.tool_use_id) ?? ''
    const text = words(result.content) ?? textOf(result.content_nodes)
    return [result.is_error === true ? { callId, error: text || 'failed' } : { callId, text }]
  })
}

function textOf(nodes: unknown): string {
  return objects(nodes)
    .flatMap((node) => words(node.text_content) ?? [])
    .join('\n')
}

function changedIn(files: unknown): FileTouch[] {
  return list(files).flatMap((file): FileTouch[] => {
    const changed = words(file) ?? words(object(file)?.path) ?? words(object(file)?.new_path)
    return changed ? [{ path: plain(changed), action: 'edit' }] : []
  })
}
