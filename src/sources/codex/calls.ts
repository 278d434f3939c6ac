import path from 'node:path'
import { lastRecords, sightingsOf, type ToolRecord, writtenAt } from '../call.ts'
import { object, parsed, words } from '../json.ts'
import type { CallTraces } from '../source.ts'

const ROLLOUT = /^rollout-.*?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/i

/** Codex says with each call which thread it is of; a version that does not writes the call down within 0.1 s. */
export const calls: CallTraces = {
  seenIn({ path: file }, call) {
    const [, thread] = ROLLOUT.exec(path.basename(file)) ?? []
    return thread ? sightingsOf(thread, toolRecords(file), call) : []
  },
}

function* toolRecords(file: string): Generator<ToolRecord> {
  for (const record of lastRecords(file)) {
    const payload = record.type === 'response_item' ? object(record.payload) : undefined
    const id = words(payload?.call_id)
    if (!payload || !id) continue
    if (payload.type === 'function_call_output') yield { id }
    if (payload.type !== 'function_call') continue
    yield { id, tool: words(payload.name) ?? '', args: parsed(payload.arguments), at: writtenAt(record) }
  }
}
