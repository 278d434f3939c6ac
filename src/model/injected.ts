import type { Attachment, Message, ToolCall, ToolResult } from './chat.ts'

/** How an attachment is marked that holds what a tool put into somebody's words. Never searched. */
export const INJECTED = 'injected'

/**
 * The message as it is archived: what tools put into a prompt is taken out of the person's words, and
 * answers of our own tools are marked, for else what was recalled would be found again as if it had
 * been said. `ownCalls` are the calls of this reading so far that went to our tools.
 */
export function marked(message: Message, chatId = '', ownCalls = new Set<string>()): Message {
  const { toolCalls, toolResults } = message
  const said = message.kind === 'request' || message.kind === 'delegated' ? typed(message) : message
  for (const call of toolCalls ?? []) noteCall(`${chatId}\n${call.id}`, isOwnCall(call), ownCalls)
  const isOwn = (result: ToolResult) => ownCalls.has(`${chatId}\n${result.callId}`) || isOwnAnswer(result)
  if (!toolResults?.some(isOwn)) return said
  return {
    ...said,
    toolResults: toolResults.map((result) => (isOwn(result) ? { ...result, own: true } : result)),
  }
}

/** Whether a text is nothing but blocks that tools put into prompts. */
export function isRecall(text: string): boolean {
  return text.trim() !== '' && apart(text, TYPED).text === ''
}

/** A tool's text without what other tools added to it. */
export function withoutRecall(text: string): string {
  return apart(text, MARKED).text
}

/** Whether a call goes to Recollect, by any of the names that hosts give to its tools. */
export function isOwnCall({ server, tool }: ToolCall): boolean {
  if (server && /recollect/i.test(server)) return true
  return /^(?:copilot_)?chat_secretary_/.test(tool) || /^(?:mcp_+)?recollect_/i.test(tool)
}

/** Whether a result is one of our answers by its look, for results whose call is not known. */
export function isOwnAnswer({ text, json }: ToolResult): boolean {
  if (text !== undefined) return looksOwn(text)
  if (typeof json !== 'object' || json === null || !KEYS.some((key) => key in json)) return false
  try {
    return looksOwn(JSON.stringify(json))
  } catch {
    return false
  }
}

/** Names that only tools which recall things give to their blocks, and that of Claude Code's reminders. */
const MARKED_NAMES = [
  'system[-_]reminder',
  '\\w+-mem-context',
  '(?:supermemory|agentmemory|openviking|mem0|hindsight)[-_][\\w-]+',
  'memory[-_]context',
  '(?:relevant|retrieved|user|core)[-_]memor(?:y|ies)',
  'recalled[-_][\\w-]+',
  'episodic[-_]memory',
  'past[-_]conversations',
]
/** Names that also stand in ordinary XML, so only a prompt's own lines count; and what people keep from memory tools. */
const TYPED_NAMES = ['memory', 'memories', 'private']

const MARKED = openingOf(MARKED_NAMES)
const TYPED = openingOf([...MARKED_NAMES, ...TYPED_NAMES])
const BEGINS_LINE = /^memor(?:y|ies)$/i
const MOST_BLOCKS = 200
const MOST_CALLS = 500
const DEEPEST = 20
const LONGEST_ANSWER = 64_000

function openingOf(names: string[]): RegExp {
  return new RegExp(`<(${names.join('|')})(?:\\s[^<>]{0,500})?>`, 'gi')
}

/** Keys that stand together in our answers and, as JSON, hardly anywhere else. */
const ANSWERS = [
  ['topChatIds', 'iterations_used'],
  ['totalFound', 'stopIf', 'nextActions'],
  ['narrative', 'chatIdx', 'messageId'],
  ['chat', 'messageCount', 'timeRange', 'messages'],
  ['firstRequest', 'requestsCount'],
  ['totalRequests', 'sessionId', 'success'],
]
const KEYS = ANSWERS.map(([key]) => key!)
const QUOTED = ANSWERS.map((keys) => keys.map((key) => new RegExp(`"${key}\\\\*":`)))

function looksOwn(text: string): boolean {
  const head = text.slice(0, LONGEST_ANSWER)
  return /^\s*[[{]/.test(head) && QUOTED.some((keys) => keys.every((key) => key.test(head)))
}

function noteCall(id: string, own: boolean, ownCalls: Set<string>): void {
  ownCalls.delete(id)
  if (!own) return
  ownCalls.add(id)
  if (ownCalls.size > MOST_CALLS) ownCalls.delete(ownCalls.values().next().value!)
}

/** What was typed; blocks go beside it. Where nothing was typed it is no request. */
function typed(message: Message): Message {
  const { text, blocks } = apart(message.text, TYPED)
  if (blocks.length === 0) return message
  if (text === '') return { ...message, kind: 'injected' }
  return { ...message, text, attachments: [...(message.attachments ?? []), ...blocks] }
}

/** The text and the blocks in it. A block that is not closed, or stands in a code fence, is text. */
function apart(text: string, opening: RegExp): { text: string; blocks: Attachment[] } {
  const blocks: Attachment[] = []
  if (!text.includes('</')) return { text, blocks }
  const unclosed = new Set<string>()
  let rest = ''
  let end = 0
  let looked = 0
  let fenced = false
  for (const { 0: tag, 1: name, index } of text.matchAll(opening)) {
    if (index < end || unclosed.has(name!)) continue
    if (blocks.length >= MOST_BLOCKS) break
    if (oddFences(text.slice(looked, index))) fenced = !fenced
    looked = index
    if (fenced || (BEGINS_LINE.test(name!) && !beginsLine(text, end, index))) continue
    const close = endOf(text, name!, index + tag.length)
    if (close < 0) {
      unclosed.add(name!)
      continue
    }
    blocks.push({ name: name!, type: INJECTED, text: text.slice(index, close) })
    rest += text.slice(end, index)
    end = close
    looked = close
  }
  if (blocks.length === 0) return { text, blocks }
  return { text: (rest + text.slice(end)).replace(/\n\s*\n\s*\n/g, '\n\n').trim(), blocks }
}

function oddFences(text: string): boolean {
  if (!text.includes('```')) return false
  return (text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1
}

function beginsLine(text: string, from: number, at: number): boolean {
  let before = at - 1
  while (before >= from && (text[before] === ' ' || text[before] === '\t')) before--
  return before < from || text[before] === '\n'
}

/** Where a block ends; one that holds blocks of its own name ends after them. */
function endOf(text: string, name: string, from: number): number {
  const closing = `</${name}>`
  const first = text.indexOf(closing, from)
  if (first < 0) return -1
  let end = first
  let opened = text.indexOf(`<${name}>`, from)
  for (let depth = 0; depth < DEEPEST && end >= 0; depth++) {
    if (opened < 0 || opened > end) return end + closing.length
    opened = text.indexOf(`<${name}>`, opened + 1)
    end = text.indexOf(closing, end + 1)
  }
  return first + closing.length
}
