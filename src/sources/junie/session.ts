import path from 'node:path'
import type { Chat, Message, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Found } from '../source.ts'
import { blockMessages } from './block.ts'

/** What was drawn last for one step, and where it was drawn first. */
interface Block {
  order: number
  at: number | undefined
  event: Json
}

/** `session-<time>/events.jsonl`. Titles and folders stand in `index.jsonl` beside the sessions. */
export function* readSession(file: string): Generator<Found> {
  const folder = path.dirname(file)
  const blocks = new Map<string, Block>()
  const prompts: Message[] = []
  const calls: { order: number; usage: Usage; model?: string }[] = []
  let at: number | undefined
  let first: number | undefined
  for (const { value, problem, offset } of jsonLines(file)) {
    if (problem) yield { problem }
    const record = object(value)
    if (record?.kind === 'UserPromptEvent') {
      const text = words(record.presentablePrompt) ?? words(record.prompt)
      const createdAt = millis(record.timestampMs)
      if (text)
        prompts.push({ id: `at-${offset}`, order: offset, role: 'user', kind: 'request', createdAt, text })
      continue
    }
    if (record?.kind !== 'SessionA2uxEvent') continue
    at = millis(record.timestampMs) ?? at
    first ??= at
    const event = object(object(record.event)?.agentEvent)
    if (event?.kind === 'LlmResponseMetadataEvent') calls.push(...usagesIn(event, offset))
    const step = words(event?.stepId)
    if (!event || !step || !String(event.kind).endsWith('BlockUpdatedEvent')) continue
    const known = blocks.get(step)
    blocks.set(step, { order: known?.order ?? offset, at: known?.at ?? at, event })
  }
  const messages = [
    ...prompts,
    ...[...blocks].flatMap(([step, { order, at: createdAt, event }]) =>
      blockMessages(step, order, createdAt, event),
    ),
  ].sort((a, b) => a.order - b.order)
  if (messages.length === 0) return
  countUsage(messages, calls)
  const entry = entryOf(path.join(path.dirname(folder), 'index.jsonl'), path.basename(folder))
  const chat: Chat = {
    source: 'junie',
    id: path.basename(folder),
    title: words(entry?.taskName),
    workspace: words(entry?.projectDir),
    createdAt: millis(entry?.createdAt) ?? first,
    updatedAt: at ?? millis(entry?.updatedAt),
    format: 'events',
    ...(/^[\w-]+$/.test(path.basename(folder)) && {
      resume: `junie --resume --session-id ${path.basename(folder)}`,
    }),
  }
  yield { chat }
  for (const message of messages) yield { chatId: chat.id, message }
}

/** Tokens and model of a call go to the next thing that the assistant said or did, else to the last. */
function countUsage(messages: Message[], calls: { order: number; usage: Usage; model?: string }[]): void {
  const answers = messages.filter(({ role }) => role === 'assistant')
  for (const { order, usage, model } of calls) {
    const answer = answers.find((each) => each.order > order) ?? answers.at(-1)
    if (!answer) return
    answer.model ??= model
    answer.usage = summed(answer.usage, usage)
  }
}

function summed(a: Usage = {}, b: Usage): Usage {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Usage>
  return Object.fromEntries([...keys].map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]))
}

function usagesIn(event: Json, order: number) {
  return objects(event.modelUsage).flatMap((each) => {
    const counts = {
      input: number(each.inputTokens),
      output: number(each.outputTokens),
      cost: number(each.cost),
    }
    const usage = Object.fromEntries(
      Object.entries(counts).filter(([, count]) => count !== undefined),
    ) as Usage
    const model = words(each.model)
    return Object.keys(usage).length > 0 || model ? [{ order, usage, ...(model && { model }) }] : []
  })
}

/** The last line of a session counts: it is written again when the title is known. */
function entryOf(file: string, session: string): Json | undefined {
  let found: Json | undefined
  try {
    for (const { value } of jsonLines(file)) {
      const entry = object(value)
      if (entry?.sessionId === session) found = entry
    }
  } catch {
    // Not written yet.
  }
  return found
}
