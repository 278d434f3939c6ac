import { type Json, object, objects, string, words } from '../json.ts'

/** The words of a request that was typed while the assistant worked, as long as it is in the queue. */
export interface Waiting {
  id: string
  text: string
}

/** Set on a request that came out of the queue. */
const QUEUED = '$queued'

/**
 * The queue of a session (`pendingRequests`). VS Code sends what waits as a turn with an id of its
 * own, several steering ones as one, and only then takes them off the queue. So a turn tells the words,
 * and the queue which turns came out of it; what leaves it without a turn was taken back.
 */
export class Queue {
  readonly waiting: Waiting[] = []

  constructor(remembered: unknown = []) {
    for (const { id, text } of objects(remembered)) {
      if (words(id) && string(text)) this.waiting.push({ id: String(id), text: String(text) })
    }
  }

  /** Takes over the session's queue as it is now. */
  changed(session: Json): void {
    this.waiting.length = 0
    for (const { id, request } of objects(session.pendingRequests)) {
      const asked = object(request)
      const name = words(id) ?? words(asked?.requestId)
      if (name && asked) this.waiting.push({ id: name, text: textOf(asked) })
    }
  }

  /** Marks the turns that came out of the queue. */
  sent(turns: Json[]): void {
    for (const turn of turns) {
      const text = textOf(turn)
      const one = this.waiting.findIndex((each) => each.text === text)
      const [from, count] = one >= 0 ? [one, 1] : [0, leading(this.waiting, text)]
      if (count === 0) continue
      turn[QUEUED] = true
      this.waiting.splice(from, count)
    }
  }
}

/** How many of the first make up this text, joined as VS Code joins them. */
function leading(waiting: Waiting[], text: string): number {
  let joined = ''
  for (const [index, each] of waiting.entries()) {
    joined += `${index > 0 ? '\n\n' : ''}${each.text}`
    if (joined === text) return index + 1
    if (joined.length >= text.length) break
  }
  return 0
}

function textOf(request: Json): string {
  return string(request.message) ?? string(object(request.message)?.text) ?? ''
}
