import type { Message } from '../../model/chat.ts'
import { type Json, list, millis, number, object, parsed, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import { attachmentsOf, citationsOf, textOf, thoughtsOf } from './chatgpt-content.ts'
import { importOfChats } from './import.ts'
import { labelled } from './labels.ts'
import { newest, placed, type Twig } from './tree.ts'

/** ChatGPT's "Export data": every chat a tree of messages, of which one branch is shown. */
export const chatgpt = importOfChats(
  {
    ...labelled('chatgpt'),
    looksFor: "ChatGPT's data export (conversations.json, or conversations-000.json and so on)",
    recognise: ({ mapping, ...rest }) =>
      object(mapping) !== undefined &&
      ('current_node' in rest || 'conversation_id' in rest || 'create_time' in rest),
  },
  readConversation,
)

interface Node extends Twig {
  message?: Json
}

/** So far up is looked for the call that a tool answers. */
const MAX_CLIMB = 50

function* readConversation(conversation: Json): Generator<Found> {
  const id = words(conversation.conversation_id) ?? words(conversation.id)
  if (!id) {
    yield { problem: { reason: 'a chat without an id' } }
    return
  }
  yield {
    chat: {
      source: 'chatgpt',
      id,
      title: words(conversation.title),
      createdAt: millis(conversation.create_time),
      updatedAt: millis(conversation.update_time),
      format: 'export',
    },
  }
  const nodes = nodesOf(conversation.mapping)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const current = words(conversation.current_node)
  const leaf = current && byId.has(current) ? current : newest(nodes)
  for (const { twig, order, active } of placed(nodes, leaf)) {
    const message = messageOf(twig, order, byId)
    if (message) yield { chatId: id, message: active ? message : { ...message, undone: true } }
  }
}

function nodesOf(mapping: unknown): Node[] {
  const entries = Object.entries(object(mapping) ?? {})
  const parents = new Map<string, string>()
  for (const [id, node] of entries)
    for (const child of list(object(node)?.children))
      if (typeof child === 'string' && !parents.has(child)) parents.set(child, id)
  return entries.map(([id, value]) => {
    const node = object(value)
    const message = object(node?.message)
    return {
      id,
      parent: words(node?.parent) ?? parents.get(id),
      at: millis(message?.create_time),
      message,
    }
  })
}

function messageOf(node: Node, order: number, byId: Map<string, Node>): Message | undefined {
  const { id, at, message } = node
  const content = object(message?.content)
  if (!message || !content) return undefined
  const metadata = object(message.metadata) ?? {}
  const base = {
    id,
    order,
    ...(at !== undefined && { createdAt: at }),
    ...present('attachments', attachmentsOf(content, metadata)),
  }
  const hidden = metadata.is_visually_hidden_from_conversation === true || number(message.weight) === 0
  const text = textOf(content)
  switch (string(object(message.author)?.role)) {
    case 'user':
      return someone({
        ...base,
        role: 'user',
        kind: hidden || isContext(content) ? 'injected' : 'request',
        text,
      })
    case 'assistant':
      return assistantMessage(
        node,
        content,
        metadata,
        { ...base, role: 'assistant', kind: 'answer', text },
        hidden,
      )
    case 'tool':
      return toolMessage(node, content, { ...base, role: 'tool', kind: 'tool', text: '' }, text, byId)
    default:
      return someone({ ...base, role: 'system', kind: 'injected', text })
  }
}

function assistantMessage(
  node: Node,
  content: Json,
  metadata: Json,
  answer: Message,
  hidden: boolean,
): Message | undefined {
  const { content_type: type } = content
  // "Thought for 5 seconds": nothing that anybody said.
  if (type === 'reasoning_recap') return undefined
  const model = words(metadata.model_slug)
  const finished = string(object(metadata.finish_details)?.type)
  const common: Message = {
    ...answer,
    ...(model && { model }),
    ...present('citations', citationsOf(metadata)),
    ...(finished === 'interrupted' && { outcome: 'cancelled' as const }),
  }
  const tool = calledTool(node)
  if (tool) return { ...common, text: '', toolCalls: [{ id: node.id, tool, args: argumentsOf(answer.text) }] }
  if (type === 'thoughts') {
    const seconds = number(metadata.finished_duration_sec)
    const took = seconds !== undefined && { thinkingMs: seconds * 1000 }
    return someone({ ...common, text: '', thinking: thoughtsOf(content), ...took })
  }
  if (type === 'system_error') return someone({ ...common, kind: 'notice', outcome: 'failed' })
  if (node.message?.channel === 'analysis') return someone({ ...common, text: '', thinking: answer.text })
  return someone({ ...common, ...((isContext(content) || hidden) && { kind: 'injected' as const }) })
}

function toolMessage(
  node: Node,
  content: Json,
  message: Message,
  text: string,
  byId: Map<string, Node>,
): Message | undefined {
  if (text === '' && !message.attachments) return undefined
  const failed = content.content_type === 'system_error'
  const callId = callAnswered(node, byId) ?? node.id
  const url = words(content.url)
  return {
    ...message,
    toolResults: [{ callId, ...(failed ? { error: text } : { text }) }],
    ...(url && { citations: [{ url, title: words(content.title) }] }),
  }
}

/** The call above it: of the tool's own name where there is one, since several may be made at once. */
function callAnswered(node: Node, byId: Map<string, Node>): string | undefined {
  const name = words(object(node.message?.author)?.name)
  let nearest: string | undefined
  let above = node.parent
  for (let steps = 0; above !== undefined && steps < MAX_CLIMB; steps++) {
    const candidate = byId.get(above)
    if (!candidate || object(candidate.message?.author)?.role === 'user') break
    const tool = calledTool(candidate)
    if (tool && name && (tool === name || tool.startsWith(`${name}.`))) return candidate.id
    if (tool) nearest ??= candidate.id
    above = candidate.parent
  }
  return nearest
}

/** An assistant's message that is addressed to a tool is a call of it. */
function calledTool({ message }: Node): string | undefined {
  if (object(message?.author)?.role !== 'assistant') return undefined
  const recipient = words(message?.recipient)
  return recipient && !['all', 'user', 'assistant'].includes(recipient) ? recipient : undefined
}

function argumentsOf(text: string): unknown {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : text
}

/** Custom instructions and memories, sent along with each chat. */
function isContext({ content_type: type }: Json): boolean {
  return type === 'user_editable_context' || type === 'model_editable_context'
}

/** Only where something is said, thought or attached. */
function someone(message: Message): Message | undefined {
  return message.text || message.thinking || message.attachments ? message : undefined
}

function present<K extends 'attachments' | 'citations'>(
  key: K,
  value: Message[K] & unknown[],
): Pick<Message, K> | object {
  return value.length > 0 ? { [key]: value } : {}
}
