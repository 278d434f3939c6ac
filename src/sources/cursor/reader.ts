import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readGlobalDatabase } from './global.ts'
import { readStore } from './store.ts'
import { readTranscript } from './transcript.ts'
import { readWorkspaceDatabase } from './workspace.ts'

export function* read(unit: Unit, from: Checkpoint | undefined, machine: Machine): Generator<Found> {
  if (unit.growth === 'append') yield* readTranscript(unit.path, from, machine)
  else if (path.basename(path.dirname(unit.path)) === 'globalStorage')
    yield* readGlobalDatabase(unit.path, from)
  else if (path.basename(unit.path) === 'store.db') yield* readStore(unit.path)
  else yield* readWorkspaceDatabase(unit.path, from, machine)
}
