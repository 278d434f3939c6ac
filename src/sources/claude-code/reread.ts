import { type Json, object } from '../json.ts'
import { jsonLines } from '../lines.ts'
import { shortId } from './progress.ts'
import { unlinked, unwanted } from './skip.ts'

/** The records at these offsets, in file order. */
export function linesAgain(file: string, offsets: number[], before: number): Json[] {
  if (offsets.length === 0) return []
  const wanted = new Set(offsets)
  const records: Json[] = []
  for (const record of recordsBetween(file, Math.min(...offsets), before, unwanted)) {
    if (wanted.has(record.offset)) records.push(record.value)
  }
  return records
}

/** The uuid of every record of the conversation before an offset. */
export function uuidsBefore(file: string, before: number): Set<string> {
  const uuids = new Set<string>()
  for (const { value } of recordsBetween(file, 0, before, unwanted)) {
    const uuid = isSaid(value) ? shortId(value.uuid) : undefined
    if (uuid !== undefined) uuids.add(uuid)
  }
  return uuids
}

/** Whether a record is a whole part of the conversation. */
export function isSaid(record: Json): boolean {
  if (record.type === 'system') return true
  const content = object(record.message)?.content
  return (
    (record.type === 'user' || record.type === 'assistant') &&
    (typeof content === 'string' || Array.isArray(content))
  )
}

/** Hands over the record at an offset and all that came of it, up to another one; returns their uuids. */
export function branchFrom(
  file: string,
  from: number,
  before: number,
  take: (record: Json, offset: number) => void,
): Set<string> {
  const uuids = new Set<string>()
  let wasIn = false
  for (const { value, offset } of recordsBetween(file, from, before, unlinked)) {
    const uuid = shortId(value.uuid)
    const parent = shortId(value.parentUuid) ?? shortId(value.logicalParentUuid)
    if (uuid !== undefined && offset === from) uuids.add(uuid)
    if (uuid !== undefined || parent !== undefined) {
      wasIn = (parent !== undefined && uuids.has(parent)) || (uuid !== undefined && uuids.has(uuid))
    } else if (value.type !== 'attachment' && value.type !== 'queue-operation') continue
    if (!wasIn || value.isSidechain === true) continue
    if (uuid !== undefined) uuids.add(uuid)
    take(value, offset)
  }
  return uuids
}

function* recordsBetween(
  file: string,
  from: number,
  before: number,
  skip: (line: Buffer) => boolean,
): Generator<{ value: Json; offset: number }> {
  for (const line of jsonLines(file, { from, skip })) {
    if (line.offset >= before) return
    const value = object(line.value)
    if (value) yield { value, offset: line.offset }
  }
}
