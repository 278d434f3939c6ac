import path from 'node:path'
import type { Root, Unit } from '../source.ts'

const DATABASE = 'data.sqlite3'

/** The unit of a database of the command line programs, which also holds settings and sign-ins. */
export function databaseUnit(file: string, root: Root): Unit | undefined {
  if (file !== DATABASE && file !== `${DATABASE}-wal`) return undefined
  const db = path.join(root.path, DATABASE)
  return { path: db, growth: 'database', beside: [`${db}-wal`] }
}
