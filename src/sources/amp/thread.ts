import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Chat, Message, Usage } from '../../model/chat.ts'
import { blocksOf, isEmpty, partsOfBlocks } from '../claude-code/family.ts'
import { type Json, millis, object, objects, plain, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import { tokens } from '../session-tokens.ts'
import type { Found } from '../source.ts'

export function* readThread(file: string): Generator<Found> {
  let thread: Json
  try {
    thread = object(readJson(file)) ?? {}
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  const id = path.basename(file, '.json')
  const messages = objects(thread.messages).flatMap((message, order) => messageOf(message, order) ?? [])
  if (messages.length === 0) return
  yield { chat: chatOf(id, thread, messages) }
  for (const message of messages) yield { chatId: id, message }
}

function chatOf(id: string, thread: Json, messages: Message[]): Chat {
  const ends = [
    ...objects(object(thread.meta)?.traces).map(({ endTime }) => millis(endTime)),
    ...messages.map(({ createdAt }) => createdAt),
  ].filter((time) => time !== undefined)
  const [tree] = objects(object(object(thread.env)?.initial)?.trees)
  return {
    source: 'amp',
    id,
    title: words(thread.title)?.slice(0, 500),
    workspace: folderOf(tree?.uri),
    createdAt: millis(thread.created),
    updatedAt: ends.length > 0 ? ends.reduce((a, b) => Math.max(a, b)) : undefined,
    format: typeof thread.v === 'number' ? `v${thread.v}` : undefined,
  }
}

function folderOf(uri: unknown): string | undefined {
  const text = words(uri)?.slice(0, 4096)
  if (!text?.startsWith('file://')) return undefined
  try {
    const isWindows = /^file:\/\/\/[a-z](:|%3a)/i.test(text)
    return fileURLToPath(text, { windows: isWindows })
  } catch {
    return undefined
  }
}

function messageOf(message: Json, order: number): Message | undefined {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return undefined
  const parts = partsOfBlocks(blocksOf(message.content).map(resultAsUsual))
  const counted = role === 'assistant' ? object(message.usage) : undefined
  const model = words(counted?.model)?.slice(0, 200)
  const usage = counted && usageOf(counted, model)
  if (isEmpty(parts) && !usage) return undefined
  const about = { id: String(order), order, ...parts }
  if (role === 'assistant') {
    const createdAt = millis(counted?.timestamp)
    const known = { ...(model && { model }), ...(usage && { usage }), ...(createdAt && { createdAt }) }
    return { ...about, role, kind: 'answer', ...known }
  }
  return parts.toolResults ? { ...about, role: 'tool', kind: 'tool' } : { ...about, role, kind: 'request' }
}

/** Amp has its own words for what a tool gave back. */
function resultAsUsual(block: Json): Json {
  const run = block.type === 'tool_result' ? object(block.run) : undefined
  if (!run) return block
  const failed = run.status === 'error' || run.status === 'cancelled'
  const error = words(object(run.error)?.message) ?? words(run.error) ?? string(run.status)
  return {
    type: 'tool_result',
    tool_use_id: words(block.tool_use_id) ?? block.toolUseID,
    is_error: failed,
    content: run.result === undefined || run.result === null ? (failed ? error : '') : resultText(run.result),
  }
}

function resultText(result: unknown): string {
  const told = object(result)
  for (const name of ['output', 'content', 'diff'])
    if (told?.[name] !== undefined && told[name] !== null && told[name] !== '') return plain(told[name])
  return string(result) ?? plain(result)
}

/** Where a model of OpenAI answered, what is said to be written to the cache is ordinary input. */
function usageOf(counts: Json, model: string | undefined): Usage | undefined {
  const fresh = tokens(counts, 'inputTokens')
  const written = tokens(counts, 'cacheCreationInputTokens')
  const cached = tokens(counts, 'cacheReadInputTokens')
  const output = tokens(counts, 'outputTokens')
  if ([fresh, written, cached, output].every((count) => count === undefined)) return undefined
  return {
    input: (fresh ?? 0) + (written ?? 0) + (cached ?? 0),
    output,
    cached,
    ...(!model?.startsWith('gpt-') && { cacheWrite: written }),
  }
}
