import fs from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openForeignDatabase } from '../foreign-db.ts'
import { type Json, object, objects, words } from '../json.ts'
import { jsonLines, readJson } from '../lines.ts'
import type { Seen, Survey, Unit } from '../source.ts'

export type { Seen, Survey } from '../source.ts'

export type Fate = 'used' | 'ignored' | 'unknown'

/** What was counted in one or several units. */
export interface Tally {
  kinds: Map<string, number>
  turns: number
}

/** How much a glance reads of a file. */
export const GLANCE_BYTES = 64 * 1024
const GLANCE_DOCUMENT_BYTES = 512 * 1024
export const GLANCE_ROWS = 50
/** A damaged file has as many kinds as it has records. */
const MOST_KINDS = 200
const LONGEST_KIND = 60

/** Names, each separated by white space. */
export function kinds(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/).filter(Boolean))
}

export function fateOf({ used, ignored }: Survey, kind: string): Fate {
  return used.has(kind) ? 'used' : ignored.has(kind) ? 'ignored' : 'unknown'
}

/** Counts a unit, on top of what was counted before. What cannot be read counts for nothing: the reader reports it. */
export function count(
  survey: Survey,
  unit: Unit,
  { glance = false, onto }: { glance?: boolean; onto?: Tally } = {},
): Tally {
  const tally = onto ?? { kinds: new Map(), turns: 0 }
  try {
    for (const { kind, turns = 0 } of survey.records(unit, glance)) {
      tally.turns += turns
      const name = kind.length > LONGEST_KIND ? `${kind.slice(0, LONGEST_KIND)}…` : kind
      const known = tally.kinds.get(name)
      if (known !== undefined || tally.kinds.size < MOST_KINDS) tally.kinds.set(name, (known ?? 0) + 1)
    }
  } catch {
    // Gone, locked or damaged.
  }
  return tally
}

/** The unknown kinds of a tally. */
export function unknownIn(survey: Survey, tally: Tally): [kind: string, records: number][] {
  return [...tally.kinds].filter(([kind]) => fateOf(survey, kind) === 'unknown')
}

/** The objects among the lines of a file. */
export function* lineRecords(file: string, glance: boolean): Generator<Json> {
  for (const line of jsonLines(file, { from: glance ? glanceFrom(file) : 0 })) {
    const record = object(line.value)
    if (record) yield record
  }
}

/** Where a glance at the lines of a file begins: with a line, as the rest of one would be taken for records without a type. */
export function glanceFrom(file: string): number {
  const fd = fs.openSync(file, 'r')
  try {
    const from = fs.fstatSync(fd).size - GLANCE_BYTES
    if (from <= 0) return 0
    const bytes = Buffer.alloc(GLANCE_BYTES)
    const newline = bytes.subarray(0, fs.readSync(fd, bytes, 0, GLANCE_BYTES, from)).indexOf('\n')
    return from + (newline < 0 ? GLANCE_BYTES : newline + 1)
  } finally {
    fs.closeSync(fd)
  }
}

/** The document of a file. A glance leaves a long one alone. */
export function documentIn(file: string, glance = false): unknown {
  if (glance && fs.statSync(file).size > GLANCE_DOCUMENT_BYTES) throw new Error('too long for a glance')
  return readJson(file)
}

/** Looks into a database, and closes it. */
export function* withDatabase<T>(file: string, look: (db: DatabaseSync) => Iterable<T>): Generator<T> {
  const db = openForeignDatabase(file)
  try {
    yield* look(db)
  } finally {
    db.close()
  }
}

/** What a record is called that does not say what it is. */
export const NO_TYPE = '(no type)'

/** `kind/more` where there is more to say. */
export function kindName(...parts: unknown[]): string {
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join('/') || NO_TYPE
}

/** A prompt without the blocks in tags that assistants put before and behind it. */
export function withoutTags(text: string): string {
  let rest = text.trim()
  for (;;) {
    const tag = /^<([a-z][\w-]*)[^>]{0,200}>/i.exec(rest)?.[1]
    const end = tag === undefined ? -1 : rest.indexOf(`</${tag}>`)
    if (tag === undefined || end < 0) return rest
    rest = rest.slice(end + tag.length + 3).trim()
  }
}

/** A message with a role and content of text or parts. */
export function* spoken({ role, content }: Json): Generator<Seen> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
  const said = parts.some((part) => part.type === 'text' && words(part.text))
  yield { kind: kindName(role), turns: role === 'user' && said ? 1 : 0 }
  for (const { type } of parts) yield { kind: kindName('part', type) }
}
