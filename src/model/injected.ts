import type { Attachment, Message, ToolCall, ToolResult } from './chat.ts'
import { type Element, elementsIn } from './elements.ts'

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

/** Names that only tools which recall things give to their blocks, and that of Claude Code's reminders: as they spell them. */
const MARKED_NAMES = [
  'system[-_]reminder',
  '\\w+-mem-context',
  '(?:supermemory|agentmemory|openviking|hindsight)[-_][\\w-]+',
  'mem0[-_](?:relevant|recall|memor|context|dream)[\\w-]*',
  'memory[-_]context',
  '(?:relevant|retrieved|user|core)[-_]memor(?:y|ies)',
  'recalled[-_](?:memor|message|note|conversation|context|experience|skill|data)[\\w-]*',
  'episodic[-_]memory',
  'past[-_]conversations',
  'PAST_CONVERSATIONS',
]
/** Names that also stand in ordinary XML, so only a prompt's own lines count; and what people keep from memory tools. */
const TYPED_NAMES = ['memory', 'memories', 'private']

const ATTRIBUTES = '(?:\\s[^<>]{0,500})?'
const MARKED = new RegExp(`<(${MARKED_NAMES.join('|')})${ATTRIBUTES}>`, 'g')
// No tool gives attributes to the plain names, and XML that somebody pasted does: `<memory unit="KiB">`.
const TYPED = new RegExp(`<(?:(${MARKED_NAMES.join('|')})${ATTRIBUTES}|(${TYPED_NAMES.join('|')}))>`, 'g')
const BEGINS_LINE = /^memor(?:y|ies)$/
/** Names that are not a block's within another element: that is somebody's XML. */
const ORDINARY = /^(?:private|memor(?:y|ies)|(?:user|core)[-_]memor(?:y|ies))$/
const MOST_BLOCKS = 200
const MOST_CALLS = 500
const DEEPEST = 20
const LONGEST_ANSWER = 64_000

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
  let elements: Element[] | undefined
  let passed = 0
  let rest = ''
  let end = 0
  let looked = 0
  let fenced = false
  for (const { 0: tag, 1: ofTool, 2: plain, index } of text.matchAll(opening)) {
    const name = ofTool ?? plain!
    if (index < end || unclosed.has(name)) continue
    if (blocks.length >= MOST_BLOCKS) break
    if (oddFences(text.slice(looked, index))) fenced = !fenced
    looked = index
    if (fenced || (BEGINS_LINE.test(name) && !beginsLine(text, end, index))) continue
    if (ORDINARY.test(name)) {
      elements ??= elementsIn(text)
      while (passed < elements.length && elements[passed]!.end <= index) passed++
      if (passed < elements.length && elements[passed]!.start < index) continue
    }
    const close = endOf(text, name, index + tag.length)
    if (close < 0) {
      unclosed.add(name)
      continue
    }
    const between = text.slice(end, index)
    rest = blocks.length === 0 ? between : joined(rest, between)
    blocks.push({ name, type: INJECTED, text: text.slice(index, close) })
    end = close
    looked = close
  }
  if (blocks.length === 0) return { text, blocks }
  const tail = text.slice(end)
  return { text: tail.trim() === '' ? rest.trimEnd() : joined(rest, tail), blocks }
}

/**
 * What stood before and after a block. Only the blank lines at the seam are looked at, of which a block on lines of its
 * own would leave those of both sides; all else is as it was typed.
 */
function joined(before: string, after: string): string {
  const words = before.trimEnd()
  const above = linesOf(before.slice(words.length))
  const below = linesOf(after.slice(0, after.length - after.trimStart().length))
  if (words === '') return below === '' ? after.trimStart() : after.slice(below.length)
  if (above === '' || below === '') return before + after
  const [more, less] = countOf(above) < countOf(below) ? [below, above] : [above, below]
  return words + more + (countOf(more) === 1 ? less : '') + after.slice(below.length)
}

/** Blank lines up to the last one's end, without what stands before words. */
function linesOf(blank: string): string {
  return blank.slice(0, blank.lastIndexOf('\n') + 1)
}

function countOf(lines: string): number {
  return lines.split('\n').length - 1
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
