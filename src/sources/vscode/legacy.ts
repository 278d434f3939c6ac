import { createHash } from 'node:crypto'
import { type Json, number, object, objects, string, words } from '../json.ts'
import { MAX_DOCUMENT_BYTES } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { requestsOf, sessionFound } from './session.ts'
import { storedValue } from './side-files.ts'

/** Until 1.98 the sessions of a workspace were one value of its `state.vscdb`. */
export function* readLegacyStore(
  database: string,
  from: Checkpoint | undefined,
  workspace: () => string | undefined,
): Generator<Found> {
  let stored: string | undefined
  let sessions: Json[] = []
  try {
    stored = storedValue(database, 'interactive.sessions')
    if (stored !== undefined && stored.length > MAX_DOCUMENT_BYTES) throw new Error('too large')
  } catch (error) {
    yield { problem: { reason: `cannot be read: ${error instanceof Error ? error.message : error}` } }
    return
  }
  const state = stored === undefined ? 'none' : createHash('sha256').update(stored).digest('base64')
  if (from?.state === state) {
    yield { checkpoint: from }
    return
  }
  try {
    sessions = objects(JSON.parse(stored ?? '[]'))
  } catch {
    yield { problem: { reason: 'interactive.sessions is not valid JSON' } }
  }
  for (const session of sessions) {
    yield* sessionFound(session, { id: madeUpId(session), form: 'legacy', workspace: workspace() })
  }
  yield { checkpoint: { offset: 0, state } }
}

/** The oldest sessions have no id: their first words and their date do not change any more. */
function madeUpId(session: Json): string {
  const [first] = requestsOf(session)
  const text = words(first?.[1].message) ?? string(object(first?.[1].message)?.text) ?? ''
  const seed = `${number(session.creationDate) ?? ''} ${text}`
  return `interactive-${createHash('sha256').update(seed).digest('hex').slice(0, 16)}`
}
