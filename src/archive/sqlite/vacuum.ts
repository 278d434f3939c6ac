import path from 'node:path'
import type { Connection } from './connection.ts'

/** Larger archives are written anew by way of a temporary file, smaller ones in memory. */
const MOST_IN_MEMORY = 64_000_000

/**
 * Writes the file anew. The temporary file of a large one lies beside it, where there is room and nobody else may read:
 * SQLite would take the system's folder for such files, which is often in memory itself.
 */
export function vacuum({ db, file }: Connection): void {
  const read = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const isLarge = read('page_count') * read('page_size') > MOST_IN_MEMORY
  try {
    if (isLarge) {
      const folder = path.dirname(file).replaceAll("'", "''")
      db.exec(`PRAGMA temp_store_directory = '${folder}'; PRAGMA temp_store = FILE`)
    }
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
  } finally {
    if (isLarge) db.exec(`PRAGMA temp_store = MEMORY; PRAGMA temp_store_directory = ''`)
  }
}
