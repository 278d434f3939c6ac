import { type Json, millis, object, string } from '../json.ts'
import { jsonLines } from '../lines.ts'
import { type LeftEntry, MOST, type Progress, type QueueEntry, remember, shortId } from './progress.ts'

const HEAD = 200

/**
 * What was typed while the assistant worked, by the ledger of its queue. An entry leaves it in one of
 * three ways: `popAll` gives it back to the person; `dequeue` is followed by its prompt; `remove` hands
 * it over within the turn, and only newer versions record it then (`queued_command`). So what has left
 * is held back until the assistant speaks: what nothing has recorded by then was said nowhere else.
 */
export class PromptQueue {
  private readonly file: string
  private readonly progress: Progress

  constructor(file: string, progress: Progress) {
    this.file = file
    this.progress = progress
  }

  take(record: Json, offset: number): void {
    const { pending } = this.progress
    if (record.operation === 'enqueue') remember(pending, entryOf(record, offset), MOST.pending)
    else if (record.operation === 'popAll') pending.length = 0
    else if (record.operation === 'dequeue' || record.operation === 'remove') {
      const entry = this.leaving(record, offset)
      const uuid = shortId(record.commandUuid)
      const dequeued = record.operation === 'dequeue'
      if (entry) remember(this.progress.left, { ...entry, order: offset, dequeued, uuid }, MOST.left)
    }
  }

  /** Something was said: what waits now was typed while the assistant worked. */
  notice(): void {
    for (const entry of this.progress.pending) entry.busy = true
  }

  /** A prompt was recorded: it is no longer held back. Tells whether it had waited. */
  recorded(text: string): boolean {
    const { pending, left } = this.progress
    if (left.length === 0) return false
    const prompt = text.trim()
    const same = left.filter((entry) => entry.head !== '' && prompt.includes(entry.head))
    // The queue of a process that was killed is still there: its oldest entry is not the one that left.
    const waiting = same.length > 0 ? -1 : pending.findIndex((entry) => isText(entry, prompt))
    const found = waiting >= 0 ? pending.splice(waiting, 1) : same
    const gone = new Set<QueueEntry>(
      found.length > 0 ? found : left.filter(({ dequeued }) => dequeued).slice(0, 1),
    )
    this.progress.left = left.filter((entry) => !gone.has(entry))
    return found.some(({ busy }) => busy)
  }

  /** What has left the queue and was recorded by nothing else. */
  unrecorded(): { entry: LeftEntry; text: string }[] {
    const { left } = this.progress
    if (left.length === 0) return []
    this.progress.left = []
    return left.map((entry) => ({ entry, text: this.textOf(entry) }))
  }

  private leaving(record: Json, offset: number): QueueEntry | undefined {
    const { pending } = this.progress
    const text = string(record.content)?.trim()
    if (text === undefined) return pending.shift()
    const place = pending.findIndex((entry) => isText(entry, text))
    return place < 0 ? entryOf(record, offset) : pending.splice(place, 1)[0]
  }

  private textOf({ offset }: QueueEntry): string {
    for (const { value } of jsonLines(this.file, { from: offset }))
      return string(object(value)?.content) ?? ''
    return ''
  }
}

function entryOf(record: Json, offset: number): QueueEntry {
  const text = string(record.content)?.trim() ?? ''
  return { offset, head: text.slice(0, HEAD).trim(), length: text.length, at: millis(record.timestamp) }
}

function isText({ head, length }: QueueEntry, text: string): boolean {
  return head !== '' && text.length === length && text.startsWith(head)
}
