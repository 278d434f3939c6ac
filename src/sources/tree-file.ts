import type { Chat, Message } from '../model/chat.ts'
import { type Json, object, string } from './json.ts'
import { jsonLines } from './lines.ts'
import type { Checkpoint, Found } from './source.ts'

/** How the records of a file whose lines form a tree are understood. */
export interface TreeFormat {
  /** What a record is called and which one it follows; nothing for records outside of the tree. */
  link(record: Json): Link | undefined
  /** Takes what a record says of the chat. */
  about(chat: Chat, record: Json): void
  /** The message in a record. `order` is its place in the file. */
  message(record: Json, order: number): Message | undefined
}

export interface Link {
  id: string
  parent: string | undefined
}

const LINES_BETWEEN_CHECKPOINTS = 1000

/**
 * A chat as a file of lines, each of which names the one it follows. Whoever goes back and asks again begins
 * a branch; the last record tells which branch counts, and what is on no way to it is undone. `known` is what
 * is known of the chat before its file is read.
 */
export function* readTree(
  file: string,
  from: Checkpoint | undefined,
  known: Chat,
  format: TreeFormat,
): Generator<Found> {
  const before = object(from?.state)
  const branches = new Branches(string(before?.last))
  const chat: Chat = { ...known, ...object(before?.chat), source: known.source, id: known.id }
  let offset = from?.offset ?? 0
  let lines = 0
  let isTold = false
  const checkpoint = (): Found => ({
    checkpoint: { offset, state: { chat: { ...chat }, last: branches.last } },
  })
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    const record = object(line.value) ?? {}
    const link = format.link(record)
    if (link && !branches.follows(link)) {
      yield { restart: true }
      yield* readBranches(file, known, format)
      return
    }
    format.about(chat, record)
    if (link) branches.add(link)
    const message = format.message(record, line.offset)
    if (message) {
      chat.updatedAt = message.createdAt ?? chat.updatedAt
      if (!isTold) yield { chat: { ...chat } }
      isTold = true
      yield { chatId: chat.id, message }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield checkpoint()
  }
  if (isTold || before) yield { chat }
  yield checkpoint()
}

/** All of it, with the way to its last record known before anything is told. */
function* readBranches(file: string, known: Chat, format: TreeFormat): Generator<Found> {
  const branches = new Branches()
  const chat: Chat = { ...known }
  for (const { value } of jsonLines(file)) {
    const record = object(value) ?? {}
    format.about(chat, record)
    const link = format.link(record)
    if (link) branches.add(link)
  }
  const active = branches.active()
  let offset = 0
  yield { chat: { ...chat } }
  for (const line of jsonLines(file)) {
    offset = line.end
    if (line.problem) yield { problem: line.problem }
    const record = object(line.value) ?? {}
    const message = format.message(record, line.offset)
    if (!message) continue
    chat.updatedAt = message.createdAt ?? chat.updatedAt
    const link = format.link(record)
    const isUndone = link !== undefined && !active.has(link.id)
    yield { chatId: chat.id, message: { ...message, ...(isUndone && { undone: true }) } }
  }
  yield { chat }
  yield { checkpoint: { offset, state: { chat: { ...chat }, last: branches.last } } }
}

/** The tree of records that each name the one they follow. */
export class Branches {
  readonly parents = new Map<string, string | undefined>()
  last: string | undefined

  constructor(last?: string) {
    this.last = last
  }

  /** Whether a record follows the last one. */
  follows({ parent }: Link): boolean {
    return this.last === undefined || parent === this.last
  }

  add({ id, parent }: Link): void {
    // The way goes on over a damaged line.
    this.parents.set(id, parent === undefined || this.parents.has(parent) ? parent : this.last)
    this.last = id
  }

  /** The ids on the way from the last record to the first. */
  active(): Set<string> {
    const ids = new Set<string>()
    for (let id = this.last; id !== undefined && !ids.has(id); id = this.parents.get(id)) ids.add(id)
    return ids
  }
}
