import type { Checkpoint, Found, Unit } from '../source.ts'
import { readDocument } from './document.ts'
import { readLog } from './log.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  return unit.path.endsWith('.jsonl') ? readLog(unit.path, from) : readDocument(unit.path)
}
