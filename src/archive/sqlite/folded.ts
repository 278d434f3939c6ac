import type { DatabaseSync } from 'node:sqlite'

/** A text as it is compared where capitals do not count, in any script, and however its accents are composed. */
export function folded(text: string): string {
  // Greek writes its small s otherwise at the end of a word.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

/** Makes `folded` known to SQL: SQLite's own `lower` knows the letters of ASCII only. */
export function addFolded(db: DatabaseSync): void {
  db.function('folded', { deterministic: true }, (text) => (text === null ? null : folded(String(text))))
}

/** SQL for a folded text. What is ASCII is left to SQLite, which takes a tenth of the time. */
export function foldedIn(sql: string): string {
  return `CASE WHEN octet_length(${sql}) = length(${sql}) THEN lower(${sql}) ELSE folded(${sql}) END`
}

/** The same where it is only compared with a folded text: what is not ASCII cannot be equal to, or in, what is. */
export function foldedFor(wanted: string, sql: string): string {
  return ASCII.test(wanted) ? `lower(${sql})` : foldedIn(sql)
}

const ASCII = /^\p{ASCII}*$/u
