import type { SQLInputValue } from 'node:sqlite'

/**
 * Ids of messages as they are stored: most are UUIDs, some with a word before it, which take 16 bytes
 * and the word instead of 36 characters, twice for each message.
 */
const UUID = 36
const BYTES = 16
const LONGEST_WORD = 16

export function storedId(id: string): string | Uint8Array {
  const word = id.length - UUID
  if (word < 0 || word > LONGEST_WORD || !isWord(id, word)) return id
  const bytes = new Uint8Array(BYTES + word)
  let at = word
  for (let i = 0; i < BYTES; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) if (id.charCodeAt(at++) !== DASH) return id
    const high = DIGITS[id.charCodeAt(at++)] ?? -1
    const low = DIGITS[id.charCodeAt(at++)] ?? -1
    if (high < 0 || low < 0) return id
    bytes[i] = (high << 4) | low
  }
  for (let i = 0; i < word; i++) bytes[BYTES + i] = id.charCodeAt(i)
  return bytes
}

const DASH = 45
const UNDERSCORE = 95
/** What a character is worth as a digit of a UUID; by hand, as this is done twice for every message. */
const DIGITS = new Int8Array(128).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value

/** Small letters and an underscore, or nothing. */
function isWord(id: string, length: number): boolean {
  if (length === 0) return true
  if (length === 1 || id.charCodeAt(length - 1) !== UNDERSCORE) return false
  for (let i = 0; i < length - 1; i++) {
    const code = id.charCodeAt(i)
    if (code < 97 || code > 122) return false
  }
  return true
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
