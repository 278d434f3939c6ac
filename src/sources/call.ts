import fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Json, millis, object } from './json.ts'
import { jsonLines } from './lines.ts'
import type { Call, Sighting } from './source.ts'

/** A tool's call or answer as an assistant wrote it down. */
export interface ToolRecord {
  id: string
  /** Missing in an answer. */
  tool?: string
  args?: unknown
  at?: number
}

/** What has to be read of a file's end to see a call that was just made, and others beside it with their answers. */
const TAIL = 1024 * 1024

/** The records at the end of a file of JSON lines. */
export function* lastRecords(file: string): Generator<Json> {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  for (const { value } of jsonLines(file, { from: Math.max(0, size - TAIL) })) {
    const record = object(value)
    if (record) yield record
  }
}

/** Which of a dialog's calls is the one that reached us: by its id, else by what was called and is not answered. */
export function sightingsOf(chatId: string, records: Iterable<ToolRecord>, call: Call): Sighting[] {
  const made = new Map<string, ToolRecord>()
  const answered = new Set<string>()
  for (const record of records) {
    if (record.tool === undefined) answered.add(record.id)
    else made.set(record.id, record)
  }
  const own = call.id === undefined ? undefined : made.get(call.id)
  if (own) return [{ chatId, by: 'id', at: own.at, isAnswered: answered.has(own.id) }]
  // One that has an id and is not this one is another.
  if (call.id !== undefined) return []
  return [...made.values()]
    .filter(({ id, tool, args }) => !answered.has(id) && tool?.endsWith(call.tool) && isSame(args, call.args))
    .map(({ at }) => ({ chatId, by: 'words', at }))
}

/** When a record says that it was written. */
export function writtenAt(record: Json): number | undefined {
  return millis(record.timestamp)
}

function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b))
}

/** Without what is not said: nothing, null and an empty object are the same arguments. */
function plain(args: unknown): Json {
  return Object.fromEntries(Object.entries(object(args) ?? {}).filter(([, value]) => value != null))
}
