import path from 'node:path'
import { ENTRIES } from '../pi/family.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readTree } from '../tree-file.ts'
import { readDatabase } from './database.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  if (unit.growth === 'database') return readDatabase(unit.path, from)
  const id = path.basename(unit.path, '.jsonl')
  return readTree(unit.path, from, { source: 'openclaw', id }, ENTRIES)
}
