import fs from 'node:fs'
import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import { type Json, object, objects, string } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { idOf, messagesOf } from './message.ts'
import {
  chatOf,
  latest,
  projectFolderOf,
  type Session,
  sessionIdOf,
  takeContext,
  takeMetadata,
} from './session.ts'

const CHECKPOINT_BYTES = 1024 * 1024
/** Beyond so many messages a checkpoint would grow too large, and the last one before stays. */
const REMEMBERED_MESSAGES = 3000

interface State extends Session {
  /** Where each message stands, for it may be written again. */
  orders: Record<string, number>
}

/**
 * The event log. A message may be written again with more in it, and keeps its first place. Rewinding
 * takes back what was written before: a log with such a line is read twice, and a grown part that
 * brings one makes the reading start over.
 */
export function* readLog(file: string, from: Checkpoint | undefined): Generator<Found> {
  const { size } = fs.statSync(file)
  let offset = from?.offset ?? 0
  let state = object(from?.state) as State | undefined
  let isRewound = hasRewind(file, offset, size)
  if (from && (isRewound || offset > size || (offset > 0 && !object(state?.orders)))) {
    yield { restart: true }
    offset = 0
    state = undefined
    isRewound = hasRewind(file, 0, size)
  }
  const undone = isRewound ? undoneIds(file, size) : new Set<string>()
  yield* follow(file, offset, size, state ?? { orders: {} }, undone)
}

function* follow(
  file: string,
  from: number,
  size: number,
  state: State,
  undone: Set<string>,
): Generator<Found> {
  const { orders: known, ...rest } = state
  const session: Session = rest
  const orders = new Map(Object.entries(known))
  const isNested = path.basename(path.dirname(file)) !== 'chats'
  const folder = projectFolderOf(file)
  /** A session that was opened and left has nothing but context: it is no chat until something is said. */
  let waiting: Message[] | undefined = from > 0 ? undefined : []
  const checkpoint = (offset: number): Found => ({
    checkpoint: { offset, state: { ...session, orders: Object.fromEntries(orders) } },
  })
  let last: Found = from > 0 ? checkpoint(from) : { checkpoint: { offset: 0 } }
  let lastOffset = from
  let end = from
  for (const line of jsonLines(file, { from })) {
    if (line.end > size) break
    end = line.end
    if (line.problem) {
      yield { problem: line.problem }
      continue
    }
    for (const message of messagesIn(line.value, line.offset, session, orders, { isNested, folder })) {
      takeContext(session, message)
      session.updatedAt = latest(session.updatedAt, message.createdAt)
      if (undone.has(message.id.replace(/:said$/, ''))) message.undone = true
      if (waiting && message.kind === 'injected') {
        waiting.push(message)
        continue
      }
      session.id ??= sessionIdOf(file)
      if (waiting) {
        yield { chat: chatOf(session, file) }
        for (const earlier of waiting) yield { chatId: session.id, message: earlier }
        waiting = undefined
      }
      yield { chatId: session.id, message }
    }
    if (!waiting && orders.size <= REMEMBERED_MESSAGES && end - lastOffset > CHECKPOINT_BYTES) {
      last = checkpoint(end)
      lastOffset = end
      yield last
    }
  }
  if (!waiting) yield { chat: chatOf(session, file) }
  if (!waiting && orders.size <= REMEMBERED_MESSAGES) last = checkpoint(end)
  yield last
}

/** The messages that a line brings; metadata goes into the session. */
function messagesIn(
  value: unknown,
  offset: number,
  session: Session,
  orders: Map<string, number>,
  { isNested, folder }: { isNested: boolean; folder: string | undefined },
): Message[] {
  const record = object(value)
  if (!record || record.$rewindTo !== undefined) return []
  const isSubagent = isNested || session.subagent === true
  const messagesInOrder = (listed: Json, order: number): Message[] => {
    const id = idOf(listed.id)!
    if (!orders.has(id)) orders.set(id, order)
    return messagesOf(listed, orders.get(id)!, isSubagent, folder ?? session.workspace)
  }
  if (isMessage(record)) return messagesInOrder(record, offset)
  const update = object(record.$set)
  takeMetadata(session, update ?? record)
  // The list as the model sees it from now on. What was told before is not told again: long results
  // may have been cut out of it. What it lacks was compressed, not taken back.
  return objects(update?.messages)
    .filter(isMessage)
    .flatMap((listed, at) => (orders.has(idOf(listed.id)!) ? [] : messagesInOrder(listed, offset + at)))
}

function isMessage(record: Json): boolean {
  return idOf(record.id) !== undefined && record.$set === undefined
}

function hasRewind(file: string, from: number, size: number): boolean {
  for (const { value, end } of jsonLines(file, { from, skip: (line) => !line.includes('"$rewindTo"') })) {
    if (end > size) break
    if (string(object(value)?.$rewindTo) !== undefined) return true
  }
  return false
}

/** A rewind drops the message it names and all after it; one that names none drops all. */
function undoneIds(file: string, size: number): Set<string> {
  const undone = new Set<string>()
  let places = new Map<string, number>()
  let present: string[] = []
  const add = (record: Json) => {
    const id = idOf(record.id)!
    undone.delete(id)
    if (places.has(id)) return
    places.set(id, present.length)
    present.push(id)
  }
  for (const { value, end } of jsonLines(file)) {
    if (end > size) break
    const record = object(value)
    const target = string(record?.$rewindTo)
    const listed = object(record?.$set)?.messages
    if (target !== undefined) {
      for (const id of present.splice(places.get(idOf(target) ?? '') ?? 0)) {
        places.delete(id)
        undone.add(id)
      }
    } else if (record && isMessage(record)) add(record)
    else if (Array.isArray(listed)) {
      places = new Map()
      present = []
      objects(listed).filter(isMessage).forEach(add)
    }
  }
  return undone
}
