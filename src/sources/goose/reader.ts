import type { Checkpoint, Found, Unit } from '../source.ts'
import { readDatabase } from './database.ts'
import { readLegacy } from './legacy.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  return unit.path.endsWith('.jsonl') ? readLegacy(unit.path) : readDatabase(unit.path, from)
}
