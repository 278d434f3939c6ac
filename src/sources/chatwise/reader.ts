import fs from 'node:fs'
import path from 'node:path'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { BACKUP } from './backup.ts'
import { readDatabase } from './database.ts'

export function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  if (isBackup(unit.path) && !isLastResort(unit.path, unit.beside?.[0])) return
  yield* readDatabase(unit.path, from)
}

function isBackup(file: string): boolean {
  return path.basename(path.dirname(file)) === 'backups'
}

/** Backups repeat the database day by day: only the newest counts, and only when the database is gone. */
function isLastResort(backup: string, main: string | undefined): boolean {
  if (main && fs.existsSync(main)) return false
  const folder = path.dirname(backup)
  const newest = fs
    .readdirSync(folder)
    .filter((name) => BACKUP.test(`backups/${name}`))
    .sort()
    .at(-1)
  return newest === path.basename(backup)
}
