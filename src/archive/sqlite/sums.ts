import { RecollectError } from '../../model/errors.ts'
import { blockSum, segmentSum, vectorSum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { REPAIR } from './next-steps.ts'

/**
 * Checksums of blocks of the word index, of its segments and of vectors stand in a column beside them. What an older
 * version wrote has none until `sumOld` adds it.
 */
interface BlockRow {
  segment: number
  field: number
  first: Uint8Array | null
  data: Uint8Array
  sum: number | null
}

export const BLOCK_ROW = 'segment, field, first, data, sum'
export const SEGMENT_ROW = 'base, messages, documents, titles, sum'
export const VECTOR_ROW = 'model, messages, data, sum'

/** The bytes of a block of the index, if they are what was written. */
export function soundBlock(connection: Connection, row: Record<string, unknown> | undefined): Uint8Array {
  const { segment, field, first, data, sum } = (row ?? {}) as Partial<BlockRow>
  if (!data || !isSound(sum, () => blockSum(segment!, field!, first ?? null, data)))
    throw damagedWords(connection)
  return data
}

export function soundSegment(
  connection: Connection,
  row: Record<string, unknown> | undefined,
): { messages: number; documents: Uint8Array; titles: Uint8Array } {
  if (!row) throw damagedWords(connection)
  const { base, messages, sum } = row as { base: number; messages: number; sum: number | null }
  // Node 22 stores no bytes as nothing.
  const documents = (row.documents as Uint8Array | null) ?? NOTHING
  const titles = (row.titles as Uint8Array | null) ?? NOTHING
  if (!isSound(sum, () => segmentSum(base, messages, documents, titles))) throw damagedWords(connection)
  return { messages, documents, titles }
}

export function soundVectors(
  connection: Connection,
  row: Record<string, unknown>,
): { messages: Uint8Array; data: Uint8Array } {
  const { model, messages, data, sum } = row as {
    model: string
    messages: Uint8Array
    data: Uint8Array
    sum: number | null
  }
  if (!isSound(sum, () => vectorSum(model, messages, data))) throw damaged(connection, 'the vectors')
  return { messages, data }
}

/** Adds what is missing, some at a time; false when nothing is left. Within a transaction. */
export function sumOld({ prepare }: Connection): boolean {
  if (prepare(`SELECT 1 FROM setting WHERE name = 'sumsMissing'`).get() === undefined) return false
  const blocks = prepare(`SELECT key, ${BLOCK_ROW} FROM word_block WHERE sum IS NULL LIMIT 1000`).all()
  for (const row of blocks) {
    const { segment, field, first, data } = row as unknown as BlockRow
    prepare('UPDATE word_block SET sum = ? WHERE key = ?').run(
      blockSum(segment, field, first, data),
      Number(row.key),
    )
  }
  if (blocks.length > 0) return true
  for (const row of prepare(`SELECT key, ${SEGMENT_ROW} FROM word_segment WHERE sum IS NULL`).all())
    prepare('UPDATE word_segment SET sum = ? WHERE key = ?').run(
      segmentSum(
        Number(row.base),
        Number(row.messages),
        row.documents as Uint8Array,
        row.titles as Uint8Array,
      ),
      Number(row.key),
    )
  for (const row of prepare(`SELECT key, ${VECTOR_ROW} FROM vector WHERE sum IS NULL`).all())
    prepare('UPDATE vector SET sum = ? WHERE key = ?').run(
      vectorSum(String(row.model), row.messages as Uint8Array, row.data as Uint8Array),
      Number(row.key),
    )
  prepare(`DELETE FROM setting WHERE name = 'sumsMissing'`).run()
  return false
}

function isSound(sum: number | null | undefined, expected: () => number): boolean {
  return sum === null || sum === expected()
}

export function damagedWords(connection: Connection): RecollectError {
  return damaged(connection, 'the word index')
}

function damaged({ file }: Connection, part: string): RecollectError {
  return new RecollectError(
    'ARCHIVE_DAMAGED',
    `A part of ${part} in ${file} is damaged: it is not what was written.`,
    REPAIR,
  )
}

const NOTHING = new Uint8Array(0)
