import type { Attachment, Citation, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, list, millis, number, object, objects, plain, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import { importOfChats } from './import.ts'
import { labelled } from './labels.ts'
import { contentOf } from './open-webui-content.ts'
import { newest, type Placed, placed, type Twig } from './tree.ts'

/** Open WebUI's "Export chats": rows of its database, each chat with a tree of messages. */
export const openWebUi = importOfChats(
  {
    ...labelled('open-webui'),
    looksFor: "Open WebUI's export of chats (chat-export-….json)",
    recognise: (row) => object(object(chatOf(row).history)?.messages) !== undefined,
  },
  readRow,
)

interface Said extends Twig {
  entry: Json
}

/** The row of a chat holds it; a chat handed on by itself is without its row. */
function chatOf(row: Json): Json {
  return object(row.chat) ?? row
}

function* readRow(row: Json): Generator<Found> {
  const chat = chatOf(row)
  const history = object(chat.history)!
  const twigs = twigsOf(history)
  const id = words(row.id) ?? words(chat.id) ?? twigs[0]?.id
  if (!id) {
    yield { problem: { reason: 'a chat without an id' } }
    return
  }
  yield {
    chat: {
      source: 'open-webui',
      id,
      title: words(row.title) ?? words(chat.title),
      createdAt: millis(row.created_at) ?? millis(chat.timestamp),
      updatedAt: millis(row.updated_at),
      format: 'export',
    },
  }
  const instruction = words(chat.system) ?? words(object(chat.params)?.system)
  if (instruction) {
    yield {
      chatId: id,
      message: { id: `${id}:system`, order: -0.5, role: 'system', kind: 'injected', text: instruction },
    }
  }
  const current = words(history.currentId)
  const leaf = twigs.some((twig) => twig.id === current) ? current : newest(twigs)
  const tree = placed(twigs, leaf)
  const besides = shownBeside(tree)
  for (const { twig, order, active } of tree) {
    const message = messageOf(twig, order)
    if (!message) continue
    yield { chatId: id, message: active || besides.has(twig.id) ? message : { ...message, undone: true } }
  }
}

function twigsOf(history: Json): Said[] {
  return Object.entries(object(history.messages) ?? {}).flatMap(([id, value]) => {
    const entry = object(value)
    return entry ? [{ id, parent: words(entry.parentId), at: millis(entry.timestamp), entry }] : []
  })
}

/** When several models are asked at once, the newest answer of each stands beside the chosen one. */
function shownBeside(tree: Placed<Said>[]): Set<string> {
  const asked = new Set<string>()
  const chosen = new Set<string>()
  for (const { twig, active } of tree) {
    if (!active || twig.entry.role !== 'assistant' || twig.parent === undefined) continue
    asked.add(twig.parent)
    chosen.add(`${twig.parent}\0${plain(twig.entry.modelIdx ?? 0)}`)
  }
  const newestOf = new Map<string, string>()
  for (const { twig } of tree) {
    if (twig.entry.role !== 'assistant' || twig.parent === undefined || !asked.has(twig.parent)) continue
    const place = `${twig.parent}\0${plain(twig.entry.modelIdx ?? 0)}`
    if (!chosen.has(place)) newestOf.set(place, twig.id)
  }
  return new Set(newestOf.values())
}

function messageOf({ id, at, entry }: Said, order: number): Message | undefined {
  const role = entry.role === 'user' || entry.role === 'system' ? entry.role : 'assistant'
  const attachments = objects(entry.files).map(attachmentOf)
  const base = {
    id,
    order,
    role,
    ...(at !== undefined && { createdAt: at }),
    ...(attachments.length > 0 && { attachments }),
  } as const
  if (role !== 'assistant') {
    const text = textOf(entry.content)
    if (!text && attachments.length === 0) return undefined
    return { ...base, kind: role === 'user' ? 'request' : 'injected', text }
  }
  const { text, thinking, thinkingMs, toolCalls, toolResults } = contentOf(id, entry)
  addSearches(id, entry, toolCalls, toolResults)
  const error = errorOf(entry.error)
  if (!text && !thinking && toolCalls.length === 0 && attachments.length === 0 && !error) return undefined
  const citations = citationsOf(entry.sources)
  const model = words(entry.model)
  const usage = usageOf(object(entry.usage) ?? object(object(entry.info)?.usage) ?? object(entry.info))
  return {
    ...base,
    kind: error && !text ? 'notice' : 'answer',
    text: text || (error ?? ''),
    ...(thinking && { thinking }),
    ...(thinkingMs > 0 && { thinkingMs }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolResults.length > 0 && { toolResults }),
    ...(citations.length > 0 && { citations }),
    ...(model && { model }),
    ...(usage && { usage }),
    ...(error && { outcome: 'failed' as const }),
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => words(part.text) ?? [])
    .join('\n')
}

function errorOf(error: unknown): string | undefined {
  if (error === undefined || error === null || error === false) return undefined
  return words(error) ?? words(object(error)?.content) ?? words(object(error)?.message) ?? 'failed'
}

/** Searches of the web are kept among the states of the answer, not as calls. */
function addSearches(id: string, entry: Json, calls: ToolCall[], results: ToolResult[]): void {
  const states = objects(entry.statusHistory).filter(({ action }) => string(action)?.startsWith('web_search'))
  if (states.length === 0) return
  const queries = states.flatMap((state) =>
    [...list(state.queries), state.query].flatMap((query) => words(query) ?? []),
  )
  const found = states.flatMap((state) => [
    ...list(state.urls).flatMap((url) => words(url) ?? []),
    ...objects(state.items).flatMap(({ link, title }) =>
      words(link) ? [[words(title), words(link)].filter(Boolean).join(' ')] : [],
    ),
  ])
  const callId = `${id}:web_search`
  calls.unshift({ id: callId, tool: 'web_search', args: { queries: [...new Set(queries)] } })
  if (found.length > 0) results.unshift({ callId, text: [...new Set(found)].join('\n') })
}

function citationsOf(sources: unknown): Citation[] {
  const found = new Map<string, Citation>()
  for (const { source, document, metadata } of objects(sources)) {
    const about = object(source)
    const texts = list(document)
    const places = Math.min(Math.max(texts.length, 1), 200)
    for (let place = 0; place < places; place++) {
      const detail = object(list(metadata)[place])
      const address = words(about?.url) ?? words(detail?.url) ?? words(detail?.source) ?? words(about?.name)
      if (!address || found.has(address)) continue
      const title = words(detail?.title) ?? words(about?.name) ?? words(detail?.name)
      const text = words(texts[place])
      found.set(address, {
        ...(/^https?:/i.test(address) ? { url: address } : { path: address }),
        ...(title && { title }),
        ...(text && { text }),
      })
    }
  }
  return [...found.values()]
}

function attachmentOf(entry: Json): Attachment {
  const file = object(entry.file)
  const meta = object(file?.meta) ?? object(entry.meta)
  const type = words(entry.type) ?? 'file'
  const url = words(entry.url)
  const mimeType = words(entry.content_type) ?? words(meta?.content_type)
  const bytes = number(entry.size) ?? number(meta?.size)
  return {
    name:
      words(entry.name) ?? words(file?.filename) ?? (type === 'image' ? 'image' : (words(entry.id) ?? type)),
    type,
    ...(url && /^https?:/i.test(url) && { url }),
    ...(mimeType && { mimeType }),
    ...(bytes !== undefined && { bytes }),
  }
}

/** Named as by OpenAI, or as by Ollama. */
function usageOf(usage: Json | undefined): Usage | undefined {
  const input =
    number(usage?.prompt_tokens) ?? number(usage?.input_tokens) ?? number(usage?.prompt_eval_count)
  const output = number(usage?.completion_tokens) ?? number(usage?.output_tokens) ?? number(usage?.eval_count)
  const cached = number(object(usage?.prompt_tokens_details)?.cached_tokens)
  const reasoning = number(object(usage?.completion_tokens_details)?.reasoning_tokens)
  if (input === undefined && output === undefined) return undefined
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
  }
}
