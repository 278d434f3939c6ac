import path from 'node:path'
import { lastRecords, writtenAt } from '../call.ts'
import { type Json, object, objects, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { CallTraces, Sighting } from '../source.ts'
import { sessionIdOf } from './session.ts'

/** A turn that ended with words looks like one that calls: only what was said just now may be calling. */
const JUST_NOW_MS = 3_000

/**
 * Gemini CLI says nothing of the dialog and writes a call down after its answer. What can be seen is
 * that a dialog waits: its last record is the model's, and no calls are in it yet.
 */
export const calls: CallTraces = {
  seenIn({ path: file }, call) {
    if (!file.endsWith('.jsonl')) return []
    const last = lastTurn(file)
    if (last?.type !== 'gemini' || objects(last.toolCalls).length > 0) return []
    const at = writtenAt(last)
    const isSpoken = words(last.content) !== undefined
    if (isSpoken && (at === undefined || call.at - at > JUST_NOW_MS)) return []
    const sighting: Sighting = { chatId: dialogOf(file), by: 'waiting', at }
    return [sighting]
  },
}

function lastTurn(file: string): Json | undefined {
  let last: Json | undefined
  for (const record of lastRecords(file)) if (words(record.type)) last = record
  return last
}

/** A sub-agent's file lies in a folder named after the dialog of its user. */
function dialogOf(file: string): string {
  const folder = path.basename(path.dirname(file))
  if (folder !== 'chats') return folder
  for (const { value } of jsonLines(file)) return words(object(value)?.sessionId) ?? sessionIdOf(file)
  return sessionIdOf(file)
}
