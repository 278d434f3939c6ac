import path from 'node:path'
import { lastRecords, sightingsOf, type ToolRecord, writtenAt } from '../call.ts'
import { object, objects, words } from '../json.ts'
import type { CallTraces } from '../source.ts'

/** Qwen Code says nothing of the dialog, but has a call in its file before it makes it. */
export const calls: CallTraces = {
  seenIn: ({ path: file }, call) => sightingsOf(dialogOf(file), recordsOf(file), call),
}

function* recordsOf(file: string): Generator<ToolRecord> {
  for (const row of lastRecords(file)) {
    for (const part of objects(object(row.message)?.parts)) {
      const [made, answer] = [object(part.functionCall), object(part.functionResponse)]
      const id = words(made?.id ?? answer?.id)
      if (!id) continue
      yield made ? { id, tool: words(made.name) ?? '', args: made.args, at: writtenAt(row) } : { id }
    }
  }
}

/** A sub-agent's file lies in a folder named after the dialog of its user. */
function dialogOf(file: string): string {
  const folder = path.dirname(file)
  return path.basename(path.dirname(folder)) === 'subagents'
    ? path.basename(folder)
    : path.basename(file, '.jsonl')
}
