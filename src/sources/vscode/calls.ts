import path from 'node:path'
import { sightingsOf } from '../call.ts'
import { copilotCalls } from '../copilot-calls.ts'
import type { CallTraces } from '../source.ts'

/**
 * VS Code names the dialog with each call from 1.105 on. Before, only Copilot's transcript has the
 * call in time: the session itself is written up to a minute late.
 */
export const calls: CallTraces = {
  seenIn({ path: file, standsIn }, call) {
    return standsIn ? sightingsOf(path.basename(file, '.jsonl'), copilotCalls(file), call) : []
  },
}
