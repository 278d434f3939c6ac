import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readTree } from '../tree-file.ts'
import { readMeta } from './meta.ts'
import { ROWS } from './rows.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  const id = path.basename(unit.path, '.jsonl')
  return readTree(unit.path, from, { source: 'qwen-code', id, ...readMeta(unit.path) }, ROWS)
}
