import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readCliSession } from './cli.ts'
import { readDatabase } from './family.ts'
import { readIdeSession } from './ide.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  if (unit.growth === 'database') return readDatabase(unit.path, from, 'kiro')
  return path.basename(unit.path) === 'messages.jsonl'
    ? readIdeSession(unit.path, from)
    : readCliSession(unit.path, from)
}
