import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { MODEL_FILE } from './model-file.ts'
import { readSession } from './session.ts'
import { readModelTask, readSeenTask } from './task.ts'

export function read(unit: Unit, source: string, from: Checkpoint | undefined): Iterable<Found> {
  if (unit.path.endsWith('.messages.json')) return readSession(unit.path, source)
  return path.basename(unit.path) === MODEL_FILE
    ? readModelTask(unit.path, source, from)
    : readSeenTask(unit.path, source)
}
