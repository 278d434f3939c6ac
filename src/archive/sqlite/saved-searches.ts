import { RecollectError } from '../../model/errors.ts'
import type { SavedSearch } from '../archive.ts'
import { noteChanges } from './changes.ts'
import type { Connection } from './connection.ts'

/** Settings of these names are searches that the owner keeps. */
const BEGINS = 'search:'
const MOST = 500

/** By name. */
export function savedSearches({ prepare }: Connection): SavedSearch[] {
  return prepare('SELECT name, value FROM setting WHERE name >= ? AND name < ? ORDER BY name COLLATE NOCASE')
    .all(BEGINS, `${BEGINS}\u{10ffff}`)
    .flatMap(({ name, value }) => {
      const told = parsed(String(value))
      return told ? [{ name: String(name).slice(BEGINS.length), ...told }] : []
    })
}

/** One of the same name is replaced. */
export function saveSearch(connection: Connection, { name, ...search }: SavedSearch): void {
  const { prepare } = connection
  connection.transaction(() => {
    const others = savedSearches(connection).filter((each) => each.name !== name)
    if (others.length >= MOST)
      throw new RecollectError(
        'INVALID_ARGUMENT',
        `There are ${MOST} saved searches already.`,
        'Remove one first: `recollect searches` lists them.',
      )
    prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(
      BEGINS + name,
      JSON.stringify(search),
    )
  })
  // Whoever lists them hears of it; no chat changed.
  noteChanges(connection, [])
}

/** Whether there was one. */
export function removeSearch(connection: Connection, name: string): boolean {
  const { prepare } = connection
  const isRemoved = connection.transaction(
    () => Number(prepare('DELETE FROM setting WHERE name = ?').run(BEGINS + name).changes) > 0,
  )
  if (isRemoved) noteChanges(connection, [])
  return isRemoved
}

/** Whatever a later edition writes, one that cannot be read is left out. */
function parsed(value: string): Omit<SavedSearch, 'name'> | undefined {
  try {
    const { input, savedAt } = JSON.parse(value) as Partial<SavedSearch>
    return typeof input === 'object' && input !== null ? { input, savedAt: Number(savedAt) || 0 } : undefined
  } catch {
    return undefined
  }
}
