import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A home folder as one assistant leaves it, made of a source's fixtures. */
export interface FixtureHome {
  /** Of the source. */
  id: string
  name: string
  /** The folder that a file is of no use without, and where it lies in that, as two groups. */
  whole?: RegExp
  /** Lays the files out below a home folder. */
  put(home: string): void
}

/** How the fixtures of a source's folder become homes. */
export function fixturesOf(
  folder: string,
  id: string = path.basename(folder),
  { whole }: Pick<FixtureHome, 'whole'> = {},
) {
  const fixture = (...parts: string[]) => path.join(folder, 'fixtures', ...parts)

  /** A file or a folder, copied to its place in the home. */
  const copied = (from: string, to: string): FixtureHome => ({
    id,
    whole,
    name: `${id} ${from}`,
    put(home) {
      fs.mkdirSync(path.dirname(path.join(home, to)), { recursive: true })
      fs.cpSync(fixture(from), path.join(home, to), { recursive: true })
    },
  })

  /** A database, made by one script or several. */
  const database = (scripts: string | string[], to: string): FixtureHome => ({
    id,
    name: `${id} ${[scripts].flat().join(' and ')}`,
    put(home) {
      const file = path.join(home, to)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      const db = new DatabaseSync(file)
      for (const script of [scripts].flat()) db.exec(fs.readFileSync(fixture(script), 'utf8'))
      db.close()
    },
  })

  /** Whatever else it takes. */
  const made = (name: string, put: (home: string) => void): FixtureHome => ({
    id,
    name: `${id} ${name}`,
    put,
  })

  return { fixture, copied, database, made }
}
