import type { Citation, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, object, objects, string, words } from '../json.ts'
import { attachmentOf, blocksOf, count, defined } from './content.ts'

/** An answer as far as its lines were read: each line holds one block of it, and its usage again. */
export interface Draft {
  blocks: { block: Json; index?: number; thinkingMs?: number }[]
  startedAt?: number
  endedAt?: number
  model?: string
  usage?: Usage
  stop?: string
  /** Written by the tool itself in the model's name. */
  synthetic: boolean
  failed: boolean
}

export function newDraft(): Draft {
  return { blocks: [], synthetic: false, failed: false }
}

export function addLine(draft: Draft, record: Json): void {
  const message = object(record.message) ?? {}
  const blocks = blocksOf(message.content)
  const index = blocks.length === 1 ? count(record.apiBlockIndex) : undefined
  for (const block of blocks) {
    const known = draft.blocks.findIndex((held) => isSame(held, block, index))
    const held = { block, index, thinkingMs: count(record.thinkingDurationMs) }
    if (known < 0) draft.blocks.push(held)
    else draft.blocks[known] = held
  }
  const at = millis(record.timestamp)
  draft.startedAt ??= at
  draft.endedAt = at ?? draft.endedAt
  const model = string(message.model)
  if (model === '<synthetic>') draft.synthetic = true
  else draft.model = model ?? draft.model
  if (record.isApiErrorMessage === true) draft.failed = true
  draft.stop = string(message.stop_reason) ?? draft.stop
  const usage = usageOf(object(message.usage), count(record.costUSD))
  if (usage && (usage.output ?? 0) >= (draft.usage?.output ?? 0)) draft.usage = usage
}

export function messageOf(
  draft: Draft,
  place: { id: string; order: number; askedAt?: number; undone?: boolean },
): Message {
  const parts = partsOf(draft)
  const isNotice = draft.synthetic || draft.failed
  const failed = draft.failed || (isNotice && parts.text.startsWith('API Error'))
  const isLast = draft.stop === 'end_turn' && place.askedAt !== undefined && draft.endedAt !== undefined
  return {
    id: place.id,
    order: place.order,
    role: 'assistant',
    kind: isNotice ? 'notice' : 'answer',
    ...parts,
    ...defined({
      createdAt: draft.startedAt,
      model: draft.model,
      usage: isNotice ? undefined : draft.usage,
      latencyMs: isLast && !isNotice ? Math.max(0, draft.endedAt! - place.askedAt!) : undefined,
      thinkingMs: draft.blocks.reduce((sum, { thinkingMs = 0 }) => sum + thinkingMs, 0) || undefined,
      undone: place.undone,
      outcome: failed ? ('failed' as const) : undefined,
    }),
  }
}

/** The server's name stands in the tool's: `mcp__server__tool`. */
export function toolCall(id: string, name: string, args: unknown): ToolCall {
  const end = name.startsWith('mcp__') ? name.indexOf('__', 5) : -1
  if (end < 0) return { id, tool: name, args }
  return { id, server: name.slice(5, end), tool: name.slice(end + 2), args }
}

function isSame(held: { block: Json; index?: number }, block: Json, index: number | undefined): boolean {
  if (index !== undefined && held.index === index) return true
  if (block.type !== held.block.type) return false
  if (block.type === 'tool_use') return held.block.id === block.id
  // Older versions wrote the answer again as it grew.
  if (index !== undefined || held.index !== undefined) return false
  return grows(held.block.text, block.text) || grows(held.block.thinking, block.thinking)
}

function grows(before: unknown, now: unknown): boolean {
  return typeof before === 'string' && before !== '' && typeof now === 'string' && now.startsWith(before)
}

function partsOf(draft: Draft) {
  const blocks = draft.blocks.every(({ index }) => index !== undefined)
    ? draft.blocks.toSorted((a, b) => a.index! - b.index!)
    : draft.blocks
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const citations: Citation[] = []
  const attachments = []
  let text = ''
  let joinsNext = false
  for (const { block } of blocks) {
    let joins = false
    if (block.type === 'text') {
      const said = string(block.text) ?? ''
      const cited = objects(block.citations)
      for (const citation of cited) citations.push(citationOf(citation))
      joins = cited.length > 0
      // Cited passages are cut out of a running text.
      if (said !== '') text += (text === '' || joins || joinsNext ? '' : '\n\n') + said
      joinsNext = joins
      continue
    }
    joinsNext = false
    if (block.type === 'thinking') {
      const thought = words(block.thinking)
      if (thought) thoughts.push(thought)
    } else if (
      block.type === 'tool_use' ||
      block.type === 'server_tool_use' ||
      block.type === 'mcp_tool_use'
    ) {
      const call = toolCall(string(block.id) ?? '', string(block.name) ?? 'unknown', block.input)
      toolCalls.push(block.type === 'mcp_tool_use' ? { ...call, ...serverOf(block) } : call)
    } else if (typeof block.type === 'string' && block.type.endsWith('_tool_result')) {
      toolResults.push(serverResult(block))
    } else {
      const attached = attachmentOf(block)
      if (attached) attachments.push(attached)
    }
  }
  return {
    text,
    ...(thoughts.length > 0 && { thinking: thoughts.join('\n\n') }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolResults.length > 0 && { toolResults }),
    ...(citations.length > 0 && { citations }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function serverOf(block: Json): { server?: string } {
  return defined({ server: string(block.server_name) })
}

/** Searches and fetches that the API itself made: their pages, one a line. */
function serverResult(block: Json): ToolResult {
  const content = objects(block.content)
  const failure = string(object(block.content)?.error_code)
  const lines = content.map((hit) =>
    [string(hit.title) ?? string(hit.text), string(hit.url)].filter((part) => part !== undefined).join(' '),
  )
  return {
    callId: string(block.tool_use_id) ?? '',
    ...(lines.length > 0 && { text: lines.join('\n') }),
    ...(failure !== undefined && { error: failure }),
  }
}

function citationOf(citation: Json): Citation {
  return defined({
    url: string(citation.url),
    title: string(citation.title) ?? string(citation.document_title),
    text: string(citation.cited_text),
  })
}

/** The API counts what came from the cache, and what went into it, apart from the rest of the input. */
function usageOf(usage: Json | undefined, cost: number | undefined): Usage | undefined {
  if (!usage && cost === undefined) return undefined
  const cached = count(usage?.cache_read_input_tokens)
  const cacheWrite = count(usage?.cache_creation_input_tokens)
  const fresh = count(usage?.input_tokens)
  const known = fresh !== undefined || cached !== undefined || cacheWrite !== undefined
  const reasoning = count(object(usage?.output_tokens_details)?.thinking_tokens)
  return defined({
    input: known ? (fresh ?? 0) + (cached ?? 0) + (cacheWrite ?? 0) : undefined,
    output: count(usage?.output_tokens),
    cached,
    cacheWrite,
    reasoning: reasoning || undefined,
    searches: count(object(usage?.server_tool_use)?.web_search_requests) || undefined,
    cost,
  })
}
