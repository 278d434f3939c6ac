import { type Json, object, words } from './json.ts'

/**
 * Whose session file it is, told by what is in it, and where its assistant would keep it. The reading
 * is done by the assistant's own source.
 */
export interface Sign {
  fits(look: Look): boolean
  /** Whether the file may be read where it lies, when its path is one that the source knows. */
  mayStay?(look: Look): boolean
  place(look: Look): Place
}

/** What is looked at in a file to tell whose it is; nothing is read before it is asked for. */
export interface Look {
  file: string
  name: string
  /** The first records of a file of JSON lines. */
  lines: Json[]
  /** All of it, where it is one JSON document. */
  document: unknown
  /** How a text begins. */
  head: string
  /** The columns of a table, where it is a database. */
  columns(table: string): string[]
  /** Whether a database has keys that begin so in Cursor's or VS Code's table of values. */
  hasKey(beginning: string): boolean
}

/** Where a file that lies anywhere is to be seen by its source. */
export interface Place {
  /** Its path below a root of the source. */
  file: string
  /** Which of the source's roots. */
  label?: string
  /** The folder it lies in, where it needs no other place. */
  root?: string
  /** What is put at `at`: the file itself, unless the folder around it belongs to it. */
  folder?: string
  at?: string
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The first line of a log in Copilot's format. */
export function isStart(lines: Json[], also: (data: Json) => boolean = () => true): boolean {
  const data = lines[0]?.type === 'session.start' ? object(lines[0].data) : undefined
  return data !== undefined && words(data.sessionId) !== undefined && also(data)
}

/** A name without its ending. */
export function stem(name: string): string {
  return name.replace(/\.(jsonl|json|zst|txt|db)$/i, '').replace(/\.jsonl$/, '')
}

/** A name that cannot lead anywhere else. */
export function safe(name: string): string {
  return (
    name
      .replace(/[^\w.@-]/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 200) || 'unnamed'
  )
}
