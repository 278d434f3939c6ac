import type { Attachment, Citation, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, list, millis, number, object, objects, plain, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import { importOfChats } from './import.ts'
import { labelled } from './labels.ts'
import { newest, placed, type Twig } from './tree.ts'

/** claude.ai's "Export data". Newer ones say which message answers which; in older ones a chat is a list. */
export const claudeAi = importOfChats(
  {
    ...labelled('claude-ai'),
    looksFor: "claude.ai's data export (conversations.json)",
    recognise: ({ uuid, chat_messages }) => typeof uuid === 'string' && Array.isArray(chat_messages),
  },
  readConversation,
)

const ROOT = /^0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}$/

interface Said extends Twig {
  entry: Json
}

function* readConversation(conversation: Json): Generator<Found> {
  const id = words(conversation.uuid)
  if (!id) {
    yield { problem: { reason: 'a chat without an id' } }
    return
  }
  yield {
    chat: {
      source: 'claude-ai',
      id,
      title: words(conversation.name),
      createdAt: millis(conversation.created_at),
      updatedAt: millis(conversation.updated_at),
      format: 'export',
    },
  }
  const twigs = twigsOf(conversation)
  const shown = words(conversation.current_leaf_message_uuid)
  const leaf = shown && twigs.some((twig) => twig.id === shown) ? shown : newest(twigs)
  for (const { twig, order, active } of placed(twigs, leaf)) {
    const message = messageOf(twig, order, words(conversation.model))
    if (message) yield { chatId: id, message: active ? message : { ...message, undone: true } }
  }
}

function twigsOf({ uuid, chat_messages }: Json): Said[] {
  const entries = objects(chat_messages)
  const ids = new Set(entries.map((entry) => words(entry.uuid)))
  let before: string | undefined
  return entries.map((entry, place) => {
    const id = words(entry.uuid) ?? `${uuid}:${place}`
    const given = words(entry.parent_message_uuid)
    // One whose parent is not told goes on from the message before it.
    const parent = given === undefined || !(ids.has(given) || ROOT.test(given)) ? before : given
    before = id
    return { id, parent, at: millis(entry.created_at), entry }
  })
}

function messageOf({ id, at, entry }: Said, order: number, model: string | undefined): Message | undefined {
  const human = entry.sender === 'human' || entry.sender === 'user'
  const said = blocks(id, list(entry.content))
  const attachments = attachmentsOf(entry)
  const text = said.text || (said.toolCalls.length > 0 ? '' : (string(entry.text) ?? ''))
  if (!text && !said.thinking && said.toolCalls.length + said.toolResults.length + attachments.length === 0)
    return undefined
  const answeredBy = human ? undefined : (words(entry.model) ?? model)
  return {
    id,
    order,
    role: human ? 'user' : 'assistant',
    kind: human ? 'request' : 'answer',
    ...(at !== undefined && { createdAt: at }),
    text,
    ...(said.thinking && { thinking: said.thinking }),
    ...(said.thinkingMs > 0 && { thinkingMs: said.thinkingMs }),
    ...(said.toolCalls.length > 0 && { toolCalls: said.toolCalls }),
    ...(said.toolResults.length > 0 && { toolResults: said.toolResults }),
    ...(said.citations.length > 0 && { citations: said.citations }),
    ...(attachments.length > 0 && { attachments }),
    ...(answeredBy && { model: answeredBy }),
    ...(entry.stop_reason === 'user_canceled' && { outcome: 'cancelled' as const }),
  }
}

function blocks(id: string, content: unknown[]) {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const answered = new Set<string>()
  const cited: Json[] = []
  const titles = new Map<string, string>()
  let thinkingMs = 0
  for (const block of objects(content)) {
    if (block.type === 'text' || block.type === 'voice_note') {
      texts.push(words(block.text) ?? '')
      cited.push(...objects(block.citations))
    } else if (block.type === 'thinking') {
      thoughts.push(words(block.thinking) ?? summaries(block))
      thinkingMs += Math.max(
        0,
        (millis(block.stop_timestamp) ?? 0) - (millis(block.start_timestamp) ?? Infinity),
      )
    } else if (block.type === 'tool_result') {
      toolResults.push(resultOf(block, toolCalls, answered, toolResults.length))
      for (const { url, title } of objects(block.content))
        if (words(url) && words(title)) titles.set(words(url)!, words(title)!)
    } else if (block.input !== undefined) toolCalls.push(callOf(block, `${id}:${toolCalls.length}`))
  }
  return {
    text: texts.filter(Boolean).join('\n\n'),
    thinking: thoughts.filter(Boolean).join('\n\n'),
    thinkingMs,
    toolCalls,
    toolResults,
    citations: citationsOf(cited, titles),
  }
}

function summaries(block: Json): string {
  return objects(block.summaries)
    .flatMap(({ summary }) => words(summary) ?? [])
    .join('\n')
}

/** The first exports called a block of running code `code` and gave it no name. */
function callOf(block: Json, standIn: string): ToolCall {
  const server = words(block.integration_name)
  return {
    id: words(block.id) ?? standIn,
    ...(server && { server }),
    tool: words(block.name) ?? words(block.type) ?? 'tool',
    args: block.input,
  }
}

/** Older results do not say which call they answer: the first of that name which has no answer. */
function resultOf(block: Json, calls: ToolCall[], answered: Set<string>, place: number): ToolResult {
  const open = (call: ToolCall) => !answered.has(call.id)
  const callId =
    words(block.tool_use_id) ??
    calls.find((call) => open(call) && call.tool === block.name)?.id ??
    calls.find(open)?.id ??
    `unknown:${place}`
  answered.add(callId)
  const text =
    typeof block.content === 'string'
      ? block.content
      : objects(block.content)
          .map((part) => [words(part.title), words(part.url), words(part.text)].filter(Boolean).join('\n'))
          .filter(Boolean)
          .join('\n\n')
  const told = text || plain(block.structured_content)
  return { callId, ...(block.is_error === true ? { error: told } : { text: told }) }
}

function citationsOf(cited: Json[], titles: Map<string, string>): Citation[] {
  const found = new Map<string, Citation>()
  for (const citation of cited) {
    const details = object(citation.details)
    const url = words(details?.url) ?? words(citation.url)
    const title = words(details?.title) ?? words(citation.title) ?? titles.get(url ?? '')
    if (url && !found.has(url)) found.set(url, { url, ...(title && { title }) })
  }
  return [...found.values()]
}

function attachmentsOf(entry: Json): Attachment[] {
  const pasted = objects(entry.attachments).map((file) => ({
    name: words(file.file_name) ?? 'paste',
    type: 'file',
    ...(number(file.file_size) !== undefined && { bytes: number(file.file_size) }),
    ...(words(file.extracted_content) && { text: words(file.extracted_content) }),
  }))
  const files = objects(entry.files).map((file) => ({
    name: words(file.file_name) ?? words(file.file_uuid) ?? 'file',
    type: file.file_kind === 'image' ? 'image' : 'file',
  }))
  return [...pasted, ...files]
}
