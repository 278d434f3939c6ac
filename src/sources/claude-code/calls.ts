import path from 'node:path'
import { lastRecords, sightingsOf, type ToolRecord, writtenAt } from '../call.ts'
import { number, object, objects, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Call, CallTraces, Unit } from '../source.ts'
import { roots } from './roots.ts'

/**
 * Claude Code writes a call down before it makes it, or within 0.3 s, and says its id. The variable
 * goes stale: after `/clear` and `/branch` the server is the same and the dialog another.
 */
export const calls: CallTraces = {
  seenIn: (unit: Unit, call: Call) => sightingsOf(dialogOf(unit.path), toolRecords(unit.path), call),
  openIn(pid, machine) {
    for (const { path: projects } of roots(machine)) {
      const file = path.join(path.dirname(projects), 'sessions', `${pid}.json`)
      const session = object(readable(file))
      if (number(session?.pid) === pid) return words(session?.sessionId)
    }
    return undefined
  },
  variable: { name: 'CLAUDE_CODE_SESSION_ID', staysTrue: false },
}

/** A sub-agent's file lies in a folder named after the dialog of its user. */
function dialogOf(file: string): string {
  const folders = file.split(path.sep)
  const place = folders.lastIndexOf('subagents')
  return place > 0 ? folders[place - 1]! : path.basename(file, '.jsonl')
}

function* toolRecords(file: string): Generator<ToolRecord> {
  for (const record of lastRecords(file)) {
    for (const piece of objects(object(record.message)?.content)) {
      if (piece.type === 'tool_use')
        yield {
          id: words(piece.id) ?? '',
          tool: words(piece.name) ?? '',
          args: piece.input,
          at: writtenAt(record),
        }
      else if (piece.type === 'tool_result') yield { id: words(piece.tool_use_id) ?? '' }
    }
  }
}

function readable(file: string): unknown {
  try {
    return readJson(file)
  } catch {
    return undefined
  }
}
