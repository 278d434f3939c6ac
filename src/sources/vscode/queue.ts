import type { Message } from '../../model/chat.ts'
import { type Json, list, number, object, objects, string, words } from '../json.ts'
import { slim, turnMessages } from './turn.ts'

/** A request typed while the assistant worked, as long as it is in the queue. */
export interface Waiting {
  id: string
  request: Json
  order: number
  /** A turn with its words has begun: it leaves the queue as that turn. */
  sent?: true
}

/** Set on a request that came out of the queue. */
export const QUEUED = '$queued'

/**
 * The queue of a session (`pendingRequests`). VS Code sends what waits as a turn with an id of its
 * own, several steering ones as one, and only then takes them off the queue; what leaves it without
 * a turn was taken back.
 */
export class Queue {
  readonly waiting = new Map<string, Waiting>()
  /** What left it, told once more in the reading that saw it. */
  readonly left: Message[] = []

  constructor(remembered: unknown = []) {
    for (const { id, request, order, sent } of objects(remembered)) {
      const [name, place, asked] = [words(id), number(order), object(request)]
      if (name && place !== undefined && asked)
        this.waiting.set(name, { id: name, request: asked, order: place, ...(sent === true && { sent }) })
    }
  }

  /** Compares with the session's queue as it is now. */
  changed(session: Json): void {
    const turns = list(session.requests).length
    const now = new Set<string>()
    for (const [place, pending] of objects(session.pendingRequests).entries()) {
      const request = object(pending.request)
      const id = words(pending.id) ?? words(request?.requestId)
      if (!id || !request) continue
      now.add(id)
      // Behind the turn that was running when it was typed, wherever the queue moves it.
      const order = this.waiting.get(id)?.order ?? 2 * turns - 1 + (place + 1) / (2 * (place + 2))
      this.waiting.set(id, { ...this.waiting.get(id), id, request, order })
    }
    for (const item of this.waiting.values()) {
      if (now.has(item.id)) continue
      this.waiting.delete(item.id)
      const message = asMessage(item)
      if (!message) continue
      // Its turn tells the words.
      this.left.push(
        item.sent
          ? { ...message, kind: 'injected', via: undefined, text: '', attachments: undefined }
          : { ...message, undone: true },
      )
    }
  }

  /** Marks the turns that came out of the queue, and what waited for them. */
  sent(turns: Json[]): void {
    for (const turn of turns) {
      const text = textOf(turn)
      const waiting = [...this.waiting.values()].filter((each) => !each.sent)
      const one = waiting.find(({ request }) => textOf(request) === text)
      const together = one ? [one] : leading(waiting, text)
      if (together.length === 0) continue
      turn[QUEUED] = true
      for (const { id } of together) this.waiting.set(id, { ...this.waiting.get(id)!, sent: true })
    }
  }

  messages(): Message[] {
    const waiting = [...this.waiting.values()].map(asMessage).filter((message) => message !== undefined)
    return [...this.left, ...waiting]
  }

  toRemember(): Waiting[] {
    return [...this.waiting.values()].map((item) => ({ ...item, request: slim(item.request) }))
  }
}

/** The messages of a queue that is known only as it is. */
export function queuedMessages(session: Json): Message[] {
  const queue = new Queue()
  queue.changed(session)
  return queue.messages()
}

function asMessage({ id, request, order }: Waiting): Message | undefined {
  const [asked] = turnMessages({ ...request, requestId: id, [QUEUED]: true }, 0)
  return asked?.id === id ? { ...asked, order } : undefined
}

/** The first of the queue whose words together are this text, as VS Code joins them. */
function leading(waiting: Waiting[], text: string): Waiting[] {
  let joined = ''
  for (const [index, { request }] of waiting.entries()) {
    joined += `${index > 0 ? '\n\n' : ''}${textOf(request)}`
    if (joined === text) return waiting.slice(0, index + 1)
    if (joined.length >= text.length) break
  }
  return []
}

function textOf(request: Json): string {
  return string(request.message) ?? string(object(request.message)?.text) ?? ''
}
