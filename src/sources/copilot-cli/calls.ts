import path from 'node:path'
import { sightingsOf } from '../call.ts'
import { copilotCalls } from '../copilot-calls.ts'
import type { CallTraces } from '../source.ts'

/**
 * Copilot CLI names the dialog to the servers that it starts, and starts them again for another one
 * (`/clear`, `/resume`, `/fork`). A call is in its file within 0.2 s; sub-agents write to the same file.
 */
export const calls: CallTraces = {
  seenIn({ path: file }, call) {
    if (path.basename(file) !== 'events.jsonl') return []
    return sightingsOf(path.basename(path.dirname(file)), copilotCalls(file), call)
  },
  variable: { name: 'COPILOT_AGENT_SESSION_ID', staysTrue: true },
}
