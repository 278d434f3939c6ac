import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readDatabase } from './database.ts'
import type { Member } from './message.ts'
import { readMessageFile, readSessionFile } from './tree.ts'

export function* read(unit: Unit, from: Checkpoint | undefined, member: Member): Generator<Found> {
  if (unit.growth === 'database') yield* readDatabase(unit.path, from, member)
  else if (path.basename(path.dirname(path.dirname(unit.path))) === 'session')
    yield* readSessionFile(unit.path, member)
  else yield* readMessageFile(unit.path, member)
}
