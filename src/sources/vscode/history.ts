import type { Message } from '../../model/chat.ts'
import { type Json, list, object, objects, words } from '../json.ts'
import { Queue } from './queue.ts'
import { applied } from './replay.ts'
import { requestsOf } from './session.ts'
import { turnMessages } from './turn.ts'

/** A turn that the log holds and the session no longer does. */
interface Gone {
  request: Json
  /** The place in the session that was cut. */
  at: number
  /** Counts what went, so that it keeps its order. */
  seq: number
  /** All turns went at once, which VS Code does by mistake and no person: nobody took them back. */
  emptied: boolean
}

/** Room for the messages of one turn in the order of those that went. */
const SLOTS = 64

/**
 * What a log tells beside the session it adds up to: turns that were edited away or taken back,
 * answers that were emptied, and which turns came out of the queue. Follows the log from its start,
 * so that what is told does not depend on how often it was read on the way.
 */
export class History {
  readonly gone = new Map<string, Gone>()
  /** Requests as they were before their answer was emptied. */
  readonly answered = new Map<string, Json>()
  readonly queue = new Queue()
  seq = 0

  /** The session after one more entry. */
  apply(session: Json | undefined, value: unknown): Json | undefined {
    const entry = object(value)
    // Looked at closely only where it matters: a streamed answer has thousands of entries.
    const path = Array.isArray(entry?.k) ? entry.k : []
    if (entry?.kind === 0 || (path.length === 1 && path[0] === 'requests')) return this.cut(session, entry!)
    if (path.length === 3 && path[2] === 'response' && path[0] === 'requests' && empties(entry!))
      this.keepAnswer(object(list(session?.requests)[Number(path[1])]))
    const after = applied(session, value)
    if (after && path[0] === 'pendingRequests') this.queue.changed(after)
    return after
  }

  /** What is told of it, given the session at the end. */
  messages(session: Json): Message[] {
    const live = new Map<string, [number, Json]>()
    for (const [index, request] of requestsOf(session)) {
      const id = words(request.requestId)
      if (id) live.set(id, [index, request])
    }
    const told: Message[] = []
    for (const [id, { request, at, seq, emptied }] of this.gone) {
      if (live.has(id)) continue
      for (const [slot, message] of turnMessages(request, at).entries()) {
        const order = 2 * at - 1 / (seq * SLOTS + Math.min(slot, SLOTS - 1) + 2)
        told.push({ ...message, order, undone: emptied ? message.undone : true })
      }
    }
    for (const [id, request] of this.answered) {
      const [index, now] = live.get(id) ?? []
      if (index === undefined || !now) continue
      const still = new Set(turnMessages(now, index).map((message) => message.id))
      for (const message of turnMessages(request, index))
        if (!still.has(message.id)) told.push({ ...message, undone: true })
    }
    return told
  }

  /** The turns that VS Code lost all at once. */
  emptied(): Json[] {
    return [...this.gone.values()].filter(({ emptied }) => emptied).map(({ request }) => request)
  }

  private cut(session: Json | undefined, entry: Json): Json | undefined {
    const before = list(session?.requests)
    const isPush = entry.kind === 2
    const keep = typeof entry.i === 'number' && entry.i >= 0 ? Math.floor(entry.i) : before.length
    const from = isPush ? Math.min(keep, before.length) : 0
    const lost = before.slice(from)
    const after = applied(session, entry)
    const now = list(after?.requests)
    if (after && now !== before) this.queue.changed(after)
    if (lost.length > 0) this.lose(lost, now, from)
    if (isPush && this.queue.waiting.length > 0) this.queue.sent(objects(now.slice(from)))
    return after
  }

  private lose(lost: unknown[], now: unknown[], at: number): void {
    const kept = new Set(objects(now).map(({ requestId }) => requestId))
    for (const request of objects(lost)) {
      const id = words(request.requestId)
      if (!id || kept.has(id)) continue
      this.gone.delete(id)
      this.gone.set(id, { request, at, seq: this.seq++, emptied: now.length === 0 })
    }
    for (const gone of this.gone.values()) gone.at = Math.min(gone.at, at)
  }

  private keepAnswer(request: Json | undefined): void {
    const id = words(request?.requestId)
    if (!request || !id || list(request.response).length === 0) return
    this.answered.set(id, { ...request, response: [...list(request.response)] })
  }
}

/** Whether a change of an answer leaves nothing of it. */
export function empties({ kind, v, i }: Json): boolean {
  if (kind === 2) return i === 0 && list(v).length === 0
  return list(v).length === 0
}
