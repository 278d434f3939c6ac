import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { openTool, toolArguments } from './tools.ts'

/**
 * The oldest form (0.0.340): one JSON file with the messages as the model saw them, in OpenAI's
 * chat format, and a timeline as the person saw it. The timeline knows the times.
 */
export function* readHistory(source: string, file: string): Generator<Found> {
  let session: Json | undefined
  try {
    session = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: error instanceof Error ? error.message : String(error) } }
    return
  }
  if (!session) {
    yield { problem: { reason: 'not a session' } }
    return
  }
  const id = /^session_(.+)_\d+\.json$/.exec(path.basename(file))?.[1] ?? path.basename(file, '.json')
  const messages = [...historyMessages(session)]
  if (messages.length > 0) {
    const times = messages.flatMap((message) => message.createdAt ?? [])
    const createdAt = millis(session.startTime) ?? times[0]
    const updatedAt = times.reduce((last, time) => Math.max(last, time), createdAt ?? 0) || undefined
    yield { chat: { source, id, createdAt, updatedAt, format: 'history' } }
    for (const message of messages) yield { chatId: id, message }
  }
  yield { checkpoint: { offset: 0 } }
}

function* historyMessages(session: Json): Generator<Message> {
  const timeline = timelineOf(session.timeline)
  const model = words(session.selectedModel)
  const calls = new Map<string, Json>()
  let order = 0
  for (const item of list(session.chatMessages)) {
    const place = { id: `${order}`, order: order++ }
    const said = object(item)
    if (!said) continue
    const text = contentText(said.content)
    if (said.role === 'user') {
      const seen = timeline.user(text)
      const kind = seen || !timeline.knowsUsers ? 'request' : 'injected'
      const typed = seen?.text ?? (kind === 'request' ? withoutInjected(text) : text)
      if (typed.trim() === '') continue
      yield { ...place, role: 'user', kind, createdAt: seen?.at, text: typed }
    } else if (said.role === 'assistant') {
      const toolCalls = objects(said.tool_calls).flatMap((call) => {
        const asked = object(call.function)
        const tool = words(asked?.name)
        if (!tool) return []
        const args = toolArguments(asked?.arguments)
        const id = string(call.id) ?? ''
        calls.set(id, { toolName: tool, arguments: args })
        return [{ id, tool, args }]
      })
      if (text.trim() === '' && toolCalls.length === 0) continue
      const createdAt = timeline.answer(text) ?? timeline.call(toolCalls[0]?.id)
      const asked = toolCalls.length > 0 ? { toolCalls } : {}
      yield { ...place, role: 'assistant', kind: 'answer', createdAt, text, model, ...asked }
    } else if (said.role === 'tool') {
      const callId = string(said.tool_call_id) ?? ''
      const call = calls.get(callId)
      const files = call && openTool(call, undefined).files
      const toolResults = [{ callId, text }]
      yield {
        ...place,
        role: 'tool',
        kind: 'tool',
        createdAt: timeline.call(callId),
        text: '',
        toolResults,
        files,
      }
    }
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => words(part.text) ?? [])
    .join('\n')
}

interface Seen {
  text: string
  at: number | undefined
}

/** How far ahead an entry is looked for: commands stand in the timeline and not among the messages. */
const LOOK_AHEAD = 20

/** The timeline's entries are met in the order of the messages, each once. */
function timelineOf(value: unknown) {
  const users: Seen[] = []
  const answers: Seen[] = []
  const calls = new Map<string, number>()
  for (const entry of objects(value)) {
    const at = millis(entry.timestamp)
    const text = words(entry.text)
    const callId = words(entry.callId) ?? words(entry.toolCallId)
    if (callId && at !== undefined) calls.set(callId, at)
    if (text && entry.type === 'user') users.push({ text, at })
    if (text && entry.type === 'copilot') answers.push({ text, at })
  }
  const nextUser = following(users)
  const nextAnswer = following(answers)
  return {
    knowsUsers: users.length > 0,
    user: (sent: string) => nextUser((text) => sent.includes(text.trim())),
    answer: (sent: string) => nextAnswer((text) => text.trim() === sent.trim())?.at,
    call: (id: string | undefined) => calls.get(id ?? ''),
  }
}

function following(entries: Seen[]) {
  let next = 0
  return (fits: (text: string) => boolean): Seen | undefined => {
    for (let index = next; index < Math.min(entries.length, next + LOOK_AHEAD); index++) {
      if (!fits(entries[index]!.text)) continue
      next = index + 1
      return entries[index]
    }
    return undefined
  }
}

const INJECTED =
  /^\s*<(current_datetime|reminder|system_reminder|tagged_files|environment_context|custom_instructions?)>[\s\S]*?<\/\1>/

/** The typed text without the blocks that were put around it for the model. */
function withoutInjected(text: string): string {
  let rest = text
  for (let block = INJECTED.exec(rest); block; block = INJECTED.exec(rest)) rest = rest.slice(block[0].length)
  const tail = rest.lastIndexOf('\n<reminder>')
  if (tail >= 0 && rest.trimEnd().endsWith('</reminder>')) rest = rest.slice(0, tail)
  return rest.trim()
}
