import path from 'node:path'
import { lastRecords, sightingsOf, type ToolRecord } from '../call.ts'
import { type Json, millis, object, words } from '../json.ts'
import type { CallTraces } from '../source.ts'

/** Grok Build says nothing of the dialog, but has a call in its file before it makes it. */
export const calls: CallTraces = {
  seenIn: ({ path: file }, call) => sightingsOf(path.basename(path.dirname(file)), recordsOf(file), call),
}

function* recordsOf(file: string): Generator<ToolRecord> {
  for (const record of lastRecords(file)) {
    const params = object(record.params)
    const update = object(params?.update)
    const id = words(update?.toolCallId)
    if (!update || !id) continue
    if (update.sessionUpdate === 'tool_call')
      yield {
        id,
        tool: nameOf(update),
        args: update.rawInput,
        at: millis(object(params?._meta)?.agentTimestampMs),
      }
    else if (update.status === 'completed' || update.status === 'failed') yield { id }
  }
}

function nameOf(update: Json): string {
  return words(object(object(update._meta)?.['x.ai/tool'])?.name) ?? words(update.title) ?? ''
}
