import type { Message, ToolResult } from './chat.ts'

/**
 * The most that is kept of one text: more than any assistant writes, and well below what a string
 * and a row of the database can hold. Everything shorter is kept whole.
 */
export const MAX_TEXT = 64 * 1024 * 1024
export const MAX_LABEL = 2_000

/**
 * The message within its limits and clean: no NUL characters, no half surrogates. Where something
 * was cut the text says so, and how much there was.
 */
export function bounded(message: Message): Message {
  const kept: Message = { ...message, id: label(message.id), text: clean(message.text, MAX_TEXT) }
  if (message.thinking !== undefined) kept.thinking = clean(message.thinking, MAX_TEXT)
  if (message.model !== undefined) kept.model = label(message.model)
  if (message.toolCalls) {
    kept.toolCalls = message.toolCalls.map((call) => ({
      ...call,
      id: label(call.id),
      tool: label(call.tool),
      args: boundedJson(call.args),
    }))
  }
  if (message.toolResults) kept.toolResults = message.toolResults.map(boundedResult)
  if (message.attachments) {
    kept.attachments = message.attachments.map((attachment) => ({
      ...attachment,
      name: label(attachment.name),
      ...(attachment.text !== undefined && { text: clean(attachment.text, MAX_TEXT) }),
    }))
  }
  if (message.citations) {
    kept.citations = message.citations.map((citation) =>
      citation.text ? { ...citation, text: clean(citation.text, MAX_TEXT) } : citation,
    )
  }
  return kept
}

/**
 * Whether a message is within its limits and clean already, as nearly all are; `detail` is its details as JSON. When in
 * doubt no: it is quicker to look at what is written down anyway than to copy every message.
 */
export function isBounded(message: Message, detail: string | null): boolean {
  if (!isClean(message.text, MAX_TEXT) || !isClean(message.id, MAX_LABEL)) return false
  if (message.model !== undefined && !isClean(message.model, MAX_LABEL)) return false
  if (detail === null) return true
  // JSON writes NUL characters and half surrogates like this.
  if (detail.length > MAX_TEXT || detail.includes('\\u0000') || detail.includes('\\ud')) return false
  for (const { id, tool } of message.toolCalls ?? [])
    if (id.length > MAX_LABEL || tool.length > MAX_LABEL) return false
  for (const { callId } of message.toolResults ?? []) if (callId.length > MAX_LABEL) return false
  for (const { name } of message.attachments ?? []) if (name.length > MAX_LABEL) return false
  return true
}

function isClean(text: string, most: number): boolean {
  return text.length <= most && !text.includes('\0') && text.isWellFormed()
}

/** A short text: an id, a name, a title. */
export function label(text: string): string {
  return clean(text, MAX_LABEL)
}

function boundedResult(result: ToolResult): ToolResult {
  return {
    ...result,
    callId: label(result.callId),
    ...(result.text !== undefined && { text: clean(result.text, MAX_TEXT) }),
    ...(result.error !== undefined && { error: clean(result.error, MAX_TEXT) }),
    ...(result.json !== undefined && { json: boundedJson(result.json) }),
  }
}

/** JSON up to the limit as it is; beyond it as text that was cut. */
function boundedJson(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'string') return clean(value, MAX_TEXT)
  let written: string
  try {
    written = JSON.stringify(value)
  } catch {
    return '[nested too deeply]'
  }
  if (written.length > MAX_TEXT) return clean(written, MAX_TEXT)
  return written.includes('\\u0000') || !written.isWellFormed() ? JSON.parse(clean(written, MAX_TEXT)) : value
}

function clean(text: string, most: number): string {
  const whole =
    text.length <= most
      ? text
      : `${text.slice(0, most)}\n[cut here: ${text.length - most} of ${text.length} characters were left out]`
  const printable = whole.includes('\0') ? whole.replaceAll('\0', '') : whole
  return printable.isWellFormed() ? printable : printable.toWellFormed()
}
