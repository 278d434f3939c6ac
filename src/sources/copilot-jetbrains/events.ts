import { type Json, list, object, objects, parsed, plain, string, words } from '../json.ts'

/**
 * An event as Copilot CLI would have written it. A call is told only where it starts, not in the answer that made
 * it; what a tool gave back and what was thought stand elsewhere; and a compression begins another file.
 */
export function asCliEvents(value: unknown, offset: number): Json[] {
  const event = object(value)
  const data = object(event?.data)
  if (!event || !data) return []
  const id = words(event.id) ?? `@${offset}`
  const as = (type: string, told: Json, name = id): Json => ({ ...event, id: name, type, data: told })
  switch (event.type) {
    case 'user.message':
    case 'assistant.turn_start':
      return [event]
    case 'assistant.message':
      return [
        as('assistant.message', { content: answerIn(data), reasoningText: object(data.thinking)?.text }),
      ]
    case 'tool.execution_start': {
      const { toolCallId, toolName: name, arguments: args } = data
      const call = { toolRequests: [{ toolCallId, name, arguments: args }] }
      return [as('assistant.message', call, `${id}:call`), event]
    }
    case 'tool.execution_complete':
      return [as('tool.execution_complete', resultIn(data))]
    case 'partition.created':
      return words(data.summary)
        ? [as('session.compaction_complete', { success: true, summaryContent: data.summary })]
        : []
    case 'assistant.turn_end':
      if (data.status === 'cancelled') return [as('abort', { reason: 'cancelled' })]
      return data.status === 'error'
        ? [as('session.error', { message: 'The turn ended with an error.' })]
        : []
    default:
      return []
  }
}

/** Older versions wrote a list of messages as JSON into the text. */
function answerIn(data: Json): string {
  const text = words(data.text) ?? string(data.content) ?? ''
  const messages = text.startsWith('[{') ? parsed(text) : undefined
  const isList = Array.isArray(messages) && objects(messages).every(({ role }) => typeof role === 'string')
  if (!isList || messages.length === 0) return text
  return objects(messages)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => plain(content))
    .join('\n\n')
}

function resultIn({ toolCallId, success, result }: Json): Json {
  const told = object(result)
  const parts = list(told?.result)
  const text =
    parts.length > 0
      ? parts.map((part) => string(object(part)?.value) ?? plain(part)).join('\n')
      : (string(told?.result) ?? string(result))
  const error = words(told?.error) ?? words(object(told?.error)?.message)
  return { toolCallId, success: success !== false && !error, result: { content: text }, error }
}
