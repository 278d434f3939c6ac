import path from 'node:path'
import { object } from '../json.ts'
import { sessionTokens } from '../session-tokens.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readTree } from '../tree-file.ts'
import { ROWS } from './rows.ts'
import { readSettings } from './settings.ts'

/** Tokens are counted beside the log, for all of the session: told with its chat, and when nothing but them changed. */
export function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  const id = path.basename(unit.path, '.jsonl')
  const { usage, model } = readSettings(unit.path)
  const tokens = sessionTokens(id, usage, model)
  if (object(from?.state)?.last !== undefined) yield* tokens
  let isDue = true
  for (const found of readTree(unit.path, from, { source: 'droid', id }, ROWS)) {
    yield found
    if ('restart' in found) isDue = true
    if (!('chat' in found) || !isDue) continue
    yield* tokens
    isDue = false
  }
}
