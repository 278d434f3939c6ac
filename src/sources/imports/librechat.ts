import type { Attachment, Citation, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import { importOfChats } from './import.ts'
import { labelled } from './labels.ts'
import { lastLeaf, placed, type Twig } from './tree.ts'

/** LibreChat's "Export conversation" as JSON: a list, or with "recursive" nested answers. */
export const libreChat = importOfChats(
  {
    ...labelled('librechat'),
    looksFor: "LibreChat's export of a conversation as JSON",
    recognise: ({ conversationId, messages, messagesTree }) =>
      typeof conversationId === 'string' && (Array.isArray(messages) || Array.isArray(messagesTree)),
  },
  readConversation,
)

interface Said extends Twig {
  entry: Json
}

function* readConversation(conversation: Json): Generator<Found> {
  const id = words(conversation.conversationId)
  if (!id) {
    yield { problem: { reason: 'a chat without an id' } }
    return
  }
  const twigs = twigsOf(conversation, id)
  const times = twigs.flatMap((twig) => twig.at ?? [])
  yield {
    chat: {
      source: 'librechat',
      id,
      title: words(conversation.title),
      createdAt: times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined,
      updatedAt: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined,
      format: 'export',
    },
  }
  const options = object(conversation.options)
  const instruction = words(options?.promptPrefix) ?? words(options?.instructions) ?? words(options?.system)
  if (instruction) {
    yield {
      chatId: id,
      message: { id: `${id}:system`, order: -0.5, role: 'system', kind: 'injected', text: instruction },
    }
  }
  // LibreChat shows the last of several answers until one is chosen, and does not note which.
  for (const { twig, order, active } of placed(twigs, lastLeaf(twigs))) {
    const message = messageOf(twig, order)
    if (message) yield { chatId: id, message: active ? message : { ...message, undone: true } }
  }
}

/**
 * Nested messages one after the other, each after the one it answers. An export without branches is
 * a list, of which each message answers the one before it, whether it says so or not.
 */
function twigsOf({ messages, messagesTree, branches, recursive }: Json, chatId: string): Said[] {
  const linear = branches !== true && recursive !== true
  const twigs: Said[] = []
  const open = objects(Array.isArray(messages) ? messages : messagesTree)
    .map((entry) => ({ entry, above: undefined as string | undefined }))
    .reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const { entry, above } = next
    const id = words(entry.messageId) ?? `${chatId}:${twigs.length}`
    const parent = above ?? words(entry.parentMessageId) ?? (linear ? twigs.at(-1)?.id : undefined)
    twigs.push({ id, parent, at: millis(entry.createdAt), entry })
    for (const child of objects(entry.children).reverse()) open.push({ entry: child, above: id })
  }
  return twigs
}

function messageOf({ id, at, entry }: Said, order: number): Message | undefined {
  const human = entry.isCreatedByUser === true
  const said = partsOf(id, entry)
  const attachments = objects(entry.files).map(attachmentOf)
  const citations = citationsOf(entry)
  const failed = entry.error === true || said.failed
  const empty = said.toolCalls.length + attachments.length === 0
  if (!said.text && !said.thinking && empty) return undefined
  const model = human ? undefined : words(entry.model)
  const input = number(entry.promptTokens)
  const output = number(entry.tokenCount)
  return {
    id,
    order,
    role: human ? 'user' : 'assistant',
    kind: human ? 'request' : entry.error === true ? 'notice' : 'answer',
    ...(at !== undefined && { createdAt: at }),
    text: said.text,
    ...(said.thinking && { thinking: said.thinking }),
    ...(said.toolCalls.length > 0 && { toolCalls: said.toolCalls }),
    ...(said.toolResults.length > 0 && { toolResults: said.toolResults }),
    ...(citations.length > 0 && { citations }),
    ...(attachments.length > 0 && { attachments }),
    ...(model && { model }),
    ...(!human &&
      (input ?? output) !== undefined && {
        usage: { ...(input !== undefined && { input }), ...(output !== undefined && { output }) },
      }),
    ...(failed
      ? { outcome: 'failed' as const }
      : entry.unfinished === true && { outcome: 'cancelled' as const }),
  }
}

function partsOf(id: string, entry: Json) {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  let failed = false
  for (const part of objects(entry.content)) {
    if (part.type === 'text') texts.push(textOf(part.text))
    else if (part.type === 'think') thoughts.push(textOf(part.think))
    else if (part.type === 'error') {
      failed = true
      texts.push(textOf(part.error) || textOf(part.text))
    } else if (part.type === 'tool_call') {
      const call = object(part.tool_call) ?? part
      const callId = words(call.id) ?? `${id}:${toolCalls.length}`
      const called = object(call.function)
      const output = call.output ?? called?.output
      toolCalls.push({
        id: callId,
        ...toolNamed(words(call.name) ?? words(called?.name)),
        args: argsOf(call),
      })
      if (output !== undefined && output !== null) toolResults.push({ callId, text: plain(output) })
    }
  }
  const { text, thinking } = split(texts.filter(Boolean).join('\n\n') || (string(entry.text) ?? ''))
  if (thinking) thoughts.push(thinking)
  return { text, thinking: thoughts.filter(Boolean).join('\n\n'), toolCalls, toolResults, failed }
}

function textOf(value: unknown): string {
  return words(value) ?? words(object(value)?.value) ?? ''
}

function argsOf(call: Json): unknown {
  return parsed(call.args ?? object(call.function)?.arguments)
}

/** A tool of an MCP server is called `tool_mcp_server`. */
function toolNamed(name: string | undefined): Pick<ToolCall, 'tool' | 'server'> {
  const at = name?.lastIndexOf('_mcp_') ?? -1
  return name && at > 0 ? { tool: name.slice(0, at), server: name.slice(at + 5) } : { tool: name ?? 'tool' }
}

/** Before there were parts, what was thought stood before the text between `:::thinking` and `:::`. */
function split(text: string): { text: string; thinking?: string } {
  const opening = ':::thinking\n'
  const end = text.startsWith(opening) ? text.indexOf('\n:::', opening.length) : -1
  if (end < 0) return { text }
  return { thinking: text.slice(opening.length, end).trim(), text: text.slice(end + 4).trimStart() }
}

function attachmentOf(file: Json): Attachment {
  const mimeType = words(file.type)
  return {
    name: words(file.filename) ?? words(file.file_id) ?? 'file',
    type: mimeType?.startsWith('image/') ? 'image' : 'file',
    ...(mimeType && { mimeType }),
    ...(number(file.bytes) !== undefined && { bytes: number(file.bytes) }),
  }
}

function citationsOf(entry: Json): Citation[] {
  return objects(entry.attachments).flatMap((attachment) => {
    const search = object(attachment.web_search)
    return [...objects(search?.organic), ...objects(search?.topStories)].flatMap(
      ({ link, title, snippet }) =>
        words(link)
          ? [
              {
                url: words(link)!,
                ...(words(title) && { title: words(title) }),
                ...(words(snippet) && { text: words(snippet) }),
              },
            ]
          : [],
    )
  })
}
