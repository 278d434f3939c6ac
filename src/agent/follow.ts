import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prices } from '../recall/prices.ts'
import { runFile } from '../sources/recollect-agent/place.ts'
import type { FollowedEvent } from './agent.ts'
import { EventReplay } from './event-replay.ts'
import { type RunEvent, runEvent } from './run-event.ts'
import { isRunning, onAppended } from './runs.ts'

/** Another process may be the one that writes. */
const LOOK_AGAIN_MS = 300

/** Where somebody stopped hearing: how far the file was told, and how much of the line there. */
interface Place {
  offset: number
  part: number
}

/**
 * Tells all that happened in a dialog after a place, and what happens until its answer has ended. The file is
 * what is told from: it is the same before and after a restart, and in whichever process it is answered.
 */
export async function follow(
  { folder, id, after, prices }: { folder: string; id: string; after?: string; prices: Prices },
  tell: (event: FollowedEvent, place: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  const told = new EventReplay(id, prices)
  const from = placeOf(after)
  const file = runFile(folder, id)
  let offset = 0
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  let last: RunEvent | undefined
  for (;;) {
    const running = isRunning(folder, id)
    const news = onAppended(id)
    try {
      const bytes = Buffer.concat([rest, await readFrom(file, offset + rest.length)])
      const end = bytes.lastIndexOf(10) + 1
      const lines = linesIn(bytes.subarray(0, end), offset)
      rest = bytes.subarray(end)
      offset += end
      const whole = new Set(lines.map(({ event }) => (event?.type === 'answer' ? event.id : undefined)))
      for (const { event, end: place } of lines) {
        if (!event) continue
        const isBefore = place <= from.offset
        const events = told.take(event, !isBefore && event.type === 'piece' && whole.has(event.id))
        if (event.type !== 'decision') last = event
        if (place < from.offset || (isBefore && from.part === 0)) continue
        const end = events.findLastIndex((each) => each !== undefined)
        for (const [at, each] of events.entries()) {
          if (each === undefined || (place === from.offset && at < from.part)) continue
          // Whether what follows a thought was told before cannot be said there: it is no place to go on from.
          const isPlace = event.type !== 'answer' || at > 0
          // The last of a line is where the next one begins.
          tell(each, at === end ? `${place}` : isPlace ? `${place}.${at + 1}` : undefined)
        }
      }
      if (signal.aborted) return
      if (lines.length === 0 && !running) {
        if (last && last.type !== 'end' && last.type !== 'session') tell(told.broken(), `${offset}`)
        return
      }
      if (last?.type === 'end' && !running) return
      await Promise.race([news.promise, sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})])
    } finally {
      news.forget()
    }
  }
}

function placeOf(after: string | undefined): Place {
  const [, offset = '0', part = '0'] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(after ?? '') ?? []
  return { offset: Number(offset), part: Number(part) }
}

async function readFrom(file: string, from: number): Promise<Buffer> {
  const handle = await fs.promises.open(file, 'r')
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.max(0, size - from))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function linesIn(bytes: Buffer, from: number): { event: RunEvent | undefined; end: number }[] {
  const lines: { event: RunEvent | undefined; end: number }[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at) + 1
    lines.push({ event: eventIn(bytes.toString('utf8', at, end - 1)), end: from + end })
    at = end
  }
  return lines
}

function eventIn(line: string): RunEvent | undefined {
  try {
    return runEvent.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
