import path from 'node:path'
import type { Chat, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Found } from '../source.ts'

/** `brain/<id>/.system_generated/logs/transcript.jsonl`: steps, some told several times, of which the last counts. */
export function* readTranscript(file: string): Generator<Found> {
  const folder = path.resolve(file, '..', '..', '..')
  const steps = new Map<number, Json>()
  for (const { value, problem } of jsonLines(file)) {
    if (problem && !file.endsWith('.txt')) yield { problem }
    const step = object(value)
    const index = number(step?.step_index)
    if (step && index !== undefined) steps.set(index, step)
  }
  const messages = messagesOf([...steps].sort(([a], [b]) => a - b))
  if (messages.length === 0) return
  const times = messages.flatMap(({ createdAt }) => createdAt ?? [])
  const chat: Chat = {
    source: 'antigravity',
    id: path.basename(folder),
    workspace: folderIn(messages) ?? folderInHistory(folder),
    createdAt: times[0],
    updatedAt: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined,
    format: 'transcript',
  }
  yield { chat }
  for (const message of messages) yield { chatId: chat.id, message }
}

function messagesOf(steps: [number, Json][]): Message[] {
  const messages: Message[] = []
  let model: string | undefined
  /** Calls have no ids: the steps behind them are their results, in order. */
  let waiting: string[] = []
  for (const [index, step] of steps) {
    const about = { id: `step-${index}`, order: index, createdAt: millis(step.created_at) }
    const content = contentOf(step.content)
    if (step.type === 'USER_INPUT') {
      model = modelIn(content) ?? model
      const text = requestIn(content)
      if (words(text)) messages.push({ ...about, role: 'user', kind: 'request', text })
    } else if (step.type === 'SYSTEM_MESSAGE') {
      if (words(content)) messages.push({ ...about, role: 'user', kind: 'injected', text: content })
    } else if (step.type === 'PLANNER_RESPONSE') {
      const toolCalls = objects(step.tool_calls).map((call, at) => callOf(call, `${about.id}.${at}`))
      const thinking = words(step.thinking)
      const usage = usageOf(object(step.usage) ?? step)
      waiting = toolCalls.map(({ id }) => id)
      if (!words(content) && !thinking && toolCalls.length === 0) continue
      messages.push({
        ...about,
        role: 'assistant',
        kind: 'answer',
        text: content,
        ...(thinking && { thinking }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(model && { model }),
        ...(usage && { usage }),
      })
    } else if (step.source === 'MODEL') {
      const toolResults = [resultOf(step, content, waiting.shift() ?? about.id)]
      messages.push({ ...about, role: 'tool', kind: 'tool', text: '', toolResults })
    }
  }
  return messages
}

function contentOf(content: unknown): string {
  return string(content) ?? string(object(content)?.text) ?? plain(content)
}

/** What the person wrote stands in a tag, between things that the editor adds. */
function requestIn(content: string): string {
  const tagged = /<USER_REQUEST>\n?([\s\S]*?)\n?<\/USER_REQUEST>/.exec(content)?.[1]
  return tagged ?? content.replace(/<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?<\/\1>/g, '').trim()
}

function modelIn(content: string): string | undefined {
  const change = /<USER_SETTINGS_CHANGE>([\s\S]*?)<\/USER_SETTINGS_CHANGE>/.exec(content)?.[1] ?? ''
  return words(/Model Selection[^\n]*? to ([^\n]{1,80}?)(?:\.\s|\.?$|\n)/m.exec(change)?.[1])
}

/** Arguments are strings of JSON, mostly. */
function callOf({ name, args }: Json, id: string): ToolCall {
  const given = object(args)
  const plainArgs =
    given && Object.fromEntries(Object.entries(given).map(([key, value]) => [key, parsed(value)]))
  return { id, tool: words(name) ?? 'unknown', args: plainArgs ?? args }
}

function resultOf(step: Json, text: string, callId: string): ToolResult {
  const exitCode = number(step.exit_code)
  const isError = step.status === 'ERROR' || step.status === 'FAILED'
  return {
    callId,
    ...(isError ? { error: text || 'failed' } : { text }),
    ...(exitCode !== undefined && { exitCode }),
  }
}

function usageOf(usage: Json): Usage | undefined {
  const input = number(usage.input_tokens)
  const output = number(usage.output_tokens)
  return input === undefined && output === undefined ? undefined : { input, output }
}

function folderIn(messages: Message[]): string | undefined {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls)
  return calls.map(({ args }) => words(object(args)?.Cwd)).find(Boolean)
}

/** `agy` remembers in which folder it was started. */
function folderInHistory(brain: string): string | undefined {
  try {
    for (const { value } of jsonLines(path.resolve(brain, '..', '..', 'history.jsonl'))) {
      const entry = object(value)
      if (entry?.conversationId === path.basename(brain)) return words(entry.workspace)
    }
  } catch {
    // Only the command line program has one.
  }
  return undefined
}
