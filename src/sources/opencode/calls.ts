import type { DatabaseSync } from 'node:sqlite'
import { sightingsOf } from '../call.ts'
import { openForeignDatabase } from '../foreign-db.ts'
import { millis, object, parsed, words } from '../json.ts'
import type { CallTraces, Sighting } from '../source.ts'

/** A call that is under way is among the parts that were written last. */
const LAST_PARTS = 200

/** opencode says nothing of the dialog, but has a call in its database within 20 ms, as running. */
export const calls: CallTraces = {
  seenIn({ path: file, growth }, call) {
    if (growth !== 'database') return []
    let db: DatabaseSync | undefined
    try {
      db = openForeignDatabase(file)
      const rows = db
        .prepare('SELECT session_id, data FROM part ORDER BY time_updated DESC LIMIT ?')
        .all(LAST_PARTS)
      return rows.flatMap((row): Sighting[] => {
        const part = object(parsed(row.data))
        const state = object(part?.state)
        const id = words(part?.callID)
        if (part?.type !== 'tool' || state?.status !== 'running' || !id) return []
        const at = millis(object(state.time)?.start)
        const record = { id, tool: words(part.tool) ?? '', args: state.input, at }
        return sightingsOf(String(row.session_id), [record], call)
      })
    } catch {
      // Locked, or of a version that keeps its calls elsewhere.
      return []
    } finally {
      db?.close()
    }
  },
}
