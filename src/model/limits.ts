import type { Message, ToolResult } from './chat.ts'

/** The most that is kept of one text. Nobody reads more; a runaway log must not fill the archive. */
export const MAX_TEXT = 1_000_000
export const MAX_TOOL_TEXT = 200_000
export const MAX_LABEL = 2_000
const MAX_PARTS = 2_000

/**
 * The message within its limits and clean: no NUL characters, no half surrogates, no text beyond
 * what is kept. Where something was cut the text says so.
 */
export function bounded(message: Message): Message {
  const kept: Message = { ...message, id: label(message.id), text: clean(message.text, MAX_TEXT) }
  if (message.thinking !== undefined) kept.thinking = clean(message.thinking, MAX_TEXT)
  if (message.model !== undefined) kept.model = label(message.model)
  if (message.toolCalls) {
    kept.toolCalls = message.toolCalls.slice(0, MAX_PARTS).map((call) => ({
      ...call,
      id: label(call.id),
      tool: label(call.tool),
      args: boundedJson(call.args),
    }))
  }
  if (message.toolResults) kept.toolResults = message.toolResults.slice(0, MAX_PARTS).map(boundedResult)
  if (message.attachments) {
    kept.attachments = message.attachments.slice(0, MAX_PARTS).map((attachment) => ({
      ...attachment,
      name: label(attachment.name),
      ...(attachment.text !== undefined && { text: clean(attachment.text, MAX_TOOL_TEXT) }),
    }))
  }
  if (message.citations) {
    kept.citations = message.citations
      .slice(0, MAX_PARTS)
      .map((citation) => (citation.text ? { ...citation, text: clean(citation.text, MAX_LABEL) } : citation))
  }
  if (message.files) kept.files = message.files.slice(0, MAX_PARTS)
  return kept
}

/** A short text: an id, a name, a title. */
export function label(text: string): string {
  return clean(text, MAX_LABEL)
}

function boundedResult(result: ToolResult): ToolResult {
  return {
    ...result,
    callId: label(result.callId),
    ...(result.text !== undefined && { text: clean(result.text, MAX_TOOL_TEXT) }),
    ...(result.error !== undefined && { error: clean(result.error, MAX_TOOL_TEXT) }),
    ...(result.json !== undefined && { json: boundedJson(result.json) }),
  }
}

/** JSON up to the limit as it is; beyond it as text that was cut. */
function boundedJson(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'string') return clean(value, MAX_TOOL_TEXT)
  let written: string
  try {
    written = JSON.stringify(value)
  } catch {
    return '[nested too deeply]'
  }
  if (written.length > MAX_TOOL_TEXT) return clean(written, MAX_TOOL_TEXT)
  return written.includes('\\u0000') || !written.isWellFormed()
    ? JSON.parse(clean(written, MAX_TOOL_TEXT))
    : value
}

function clean(text: string, most: number): string {
  const whole =
    text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters were cut]`
  const printable = whole.includes('\0') ? whole.replaceAll('\0', '') : whole
  return printable.isWellFormed() ? printable : printable.toWellFormed()
}
