import type { ForgottenChat } from '../archive.ts'
import type { Connection } from './connection.ts'
import { stampsVoided } from './stamps.ts'

export function forgottenChats({ prepare }: Pick<Connection, 'prepare'>): ForgottenChat[] {
  const files = prepare(
    `SELECT path FROM forgotten_unit JOIN unit ON unit.key = forgotten_unit.unit
     WHERE forgotten_unit.source = ? AND id = ? ORDER BY path`,
  )
  return prepare('SELECT source, id, at, copy_of FROM forgotten ORDER BY at DESC, source, id')
    .all()
    .map(({ source, id, at, copy_of }) => ({
      source: String(source),
      id: String(id),
      at: Number(at),
      ...(copy_of !== null && { copyOf: String(copy_of) }),
      files: files.all(source as string, (copy_of ?? id) as string).map((row) => String(row.path)),
    }))
}

/**
 * Takes forgetting back for a chat with its copies and parts. Their files are read again by the next
 * sync; of those forgotten by an older version the files are not known, so all of their source are.
 */
export function letBack(connection: Connection, { source, id, copyOf }: ForgottenChat): ForgottenChat[] {
  const { prepare } = connection
  const root = copyOf ?? id
  return connection.transaction(() => {
    const all = forgottenChats(connection).filter(
      (each) => each.source === source && (each.id === root || each.copyOf === root),
    )
    const units = prepare('SELECT unit FROM forgotten_unit WHERE source = ? AND id = ?').all(source, root)
    // A reading that is under way is of the generation before: it does not make them known again.
    const unread = `UPDATE unit SET stamp = '', checkpoint = NULL, generation = generation + 1`
    if (units.length === 0) prepare(`${unread} WHERE source = ?`).run(source)
    for (const { unit } of units) prepare(`${unread} WHERE key = ?`).run(unit as number)
    prepare('DELETE FROM forgotten WHERE source = ? AND (id = ? OR copy_of = ?)').run(source, root, root)
    prepare('DELETE FROM forgotten_mark WHERE source = ? AND id = ?').run(source, root)
    prepare('DELETE FROM forgotten_unit WHERE source = ? AND id = ?').run(source, root)
    // No upsert: what it says of conflicts would hold in the triggers of the table too.
    prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('stampsVoided', ?)`).run(
      stampsVoided(connection) + 1,
    )
    return all
  })
}
