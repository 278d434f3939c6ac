import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import { object } from '../json.ts'
import { sessionTokens } from '../session-tokens.ts'
import type { Checkpoint, Found, Source, Unit } from '../source.ts'
import { readTree } from '../tree-file.ts'
import { ROWS } from './rows.ts'
import { readSettings, settingsOf } from './settings.ts'

/** Factory's Droid: rows that name the one they follow, with Anthropic's messages in them. */
export const droid: Source = {
  id: 'droid',
  name: 'Factory Droid',
  evidence: 'described',
  badge: { letters: 'Dr', colour: 'slate' },
  client: /^(factory|droid)/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.factory', 'sessions') }],
  enters: (folder) => !folder.includes('/'),
  unit(file, root) {
    if (!/^([^/]+\/)?[^/]+\.(jsonl|settings\.json)$/.test(file)) return undefined
    const log = path.join(root.path, file.replace(/\.settings\.json$/, '.jsonl'))
    return { path: log, growth: 'append', beside: [settingsOf(log)] }
  },
  read,
}

/** Tokens are counted beside the log, for all of the session: told with its chat, and when nothing but them changed. */
function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
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
