import path from 'node:path'
import { lastRecords, sightingsOf, type ToolRecord } from '../call.ts'
import { millis, object, words } from '../json.ts'
import type { CallTraces } from '../source.ts'

/** Kimi Code says nothing of the dialog, but has a call in its file before it makes it. */
export const calls: CallTraces = {
  // A sub-agent's file lies in the folder of the dialog of its user.
  seenIn: ({ path: file }, call) =>
    sightingsOf(path.basename(path.resolve(file, '..', '..', '..')), recordsOf(file), call),
}

function* recordsOf(file: string): Generator<ToolRecord> {
  for (const record of lastRecords(file)) {
    const event = object(record.event)
    const id = words(event?.toolCallId)
    if (!event || !id) continue
    if (event.type === 'tool.call')
      yield { id, tool: words(event.name) ?? '', args: event.args, at: millis(record.time) }
    else if (event.type === 'tool.result') yield { id }
  }
}
