import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readHistory } from './history.ts'
import { HISTORY, INDEX } from './places.ts'
import { readRollout } from './rollout.ts'
import { readIndexTitles, readStateTitles } from './titles.ts'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  if (/\.(?:zst|json)$/.test(unit.path)) return readRollout(unit.path, undefined)
  if (unit.path.endsWith('.sqlite')) return readStateTitles(unit.path, from)
  if (path.basename(unit.path) === INDEX) return readIndexTitles(unit.path)
  if (path.basename(unit.path) === HISTORY) return readHistory(unit.path)
  return readRollout(unit.path, from)
}
