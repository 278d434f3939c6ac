import type { Chat, Message } from '../../model/chat.ts'
import { type Json, millis, object, words } from '../json.ts'
import { jsonLines, readJson } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/** How a file of events becomes messages. */
export interface Wire {
  /** What may still grow: the next reading begins with it. */
  open: Message | undefined
  updatedAt: number | undefined
  /** The messages that are whole after an event. */
  take(record: Json, order: number): Iterable<Message>
}

/** A file of events, of which several make a message. */
export function* readGrowing(
  file: string,
  from: Checkpoint | undefined,
  chat: Chat,
  wireOf: (model: string | undefined) => Wire & { model: string | undefined },
): Generator<Found> {
  const before = object(from?.state)
  const wire = wireOf(words(before?.model))
  wire.updatedAt = millis(before?.updatedAt)
  let offset = from?.offset ?? 0
  let lines = 0
  let isTold = false
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    for (const message of wire.take(object(line.value) ?? {}, line.offset)) yield* tell(message)
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield checkpoint()
  }
  if (wire.open && isSaid(wire.open)) yield* tell(wire.open)
  if (isTold || from) yield { chat: { ...chat, updatedAt: wire.updatedAt ?? chat.updatedAt } }
  yield checkpoint()

  function* tell(message: Message): Generator<Found> {
    if (!isTold) yield { chat: { ...chat } }
    isTold = true
    yield { chatId: chat.id, message }
  }

  function checkpoint(): Found {
    const state = { model: wire.model, updatedAt: wire.updatedAt }
    return { checkpoint: { offset: wire.open?.order ?? offset, state } }
  }
}

/** An answer of which nothing was written yet is none. */
export function isSaid({ text, thinking, toolCalls }: Message): boolean {
  return words(text) !== undefined || thinking !== undefined || toolCalls !== undefined
}

export function documentIn(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}
