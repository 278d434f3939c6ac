import type { SQLInputValue } from 'node:sqlite'

/**
 * Ids of messages as they are stored: most are UUIDs, some with a word before it, which take 16 bytes
 * and the word instead of 36 characters, twice for each message.
 */
const UUID = /^([a-z]{1,15}_)?([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/
const BYTES = 16

export function storedId(id: string): string | Uint8Array {
  const parts = id.length < 36 || id.length > 52 ? null : UUID.exec(id)
  if (!parts) return id
  const [, word = '', ...hex] = parts
  return Buffer.from(hex.join('') + Buffer.from(word).toString('hex'), 'hex')
}

export function idFrom(stored: unknown): string {
  if (!(stored instanceof Uint8Array)) return String(stored)
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const hex = bytes.toString('hex', 0, BYTES)
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return bytes.toString('utf8', BYTES) + uuid
}

/** SQL for ids that begin so, over the column `id`. */
export function idsBegunWith(prefix: string): { where: string; values: SQLInputValue[] } {
  const terms = [`(typeof(id) = 'text' AND id >= ? AND id < ?)`]
  const values: SQLInputValue[] = [prefix, `${prefix}\u{10ffff}`]
  const word = /^([a-z]{1,15}_)?([0-9a-f-]*)$/.exec(prefix)
  if (word) {
    const hex = word[2]!.replaceAll('-', '')
    const bound = (digit: string) => Buffer.from(hex.padEnd(BYTES * 2, digit).slice(0, BYTES * 2), 'hex')
    terms.push(
      `(typeof(id) = 'blob' AND substr(id, 1, ${BYTES}) BETWEEN ? AND ? AND CAST(substr(id, ${BYTES + 1}) AS TEXT) = ?)`,
    )
    values.push(bound('0'), bound('f'), word[1] ?? '')
  }
  if (/^[a-z]{1,15}$/.test(prefix)) {
    const rest = `CAST(substr(id, ${BYTES + 1}) AS TEXT)`
    terms.push(`(typeof(id) = 'blob' AND length(id) > ${BYTES} AND ${rest} >= ? AND ${rest} < ?)`)
    values.push(prefix, `${prefix}\u{10ffff}`)
  }
  return { where: `(${terms.join(' OR ')})`, values }
}
