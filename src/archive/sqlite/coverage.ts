import type { UnknownRecords } from '../archive.ts'
import type { Connection } from './connection.ts'

const MOST = 100

export function unknownRecords({ prepare }: Connection): UnknownRecords[] {
  const stored = prepare(`SELECT value FROM setting WHERE name = 'unknownRecords'`).get()?.value
  return stored === undefined ? [] : JSON.parse(String(stored))
}

/** Keeps the newest word on each kind. */
export function noteUnknown(connection: Connection, news: UnknownRecords[]): void {
  const all = new Map(
    [...unknownRecords(connection), ...news].map((each) => [`${each.source} ${each.kind}`, each]),
  )
  const kept = JSON.stringify([...all.values()].slice(-MOST))
  connection.prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('unknownRecords', ?)`).run(kept)
}
