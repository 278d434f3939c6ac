import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readTree } from '../tree-file.ts'
import { ENTRIES } from './entries.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  return readTree(unit.path, from, { source: 'pi', id: idIn(unit.path) }, ENTRIES)
}

/** `<time>_<id>.jsonl`. */
function idIn(file: string): string {
  const name = path.basename(file, '.jsonl')
  return name.slice(name.lastIndexOf('_') + 1)
}
