/** Tells what a machine drew by lot from what people wrote. */

const FILLER =
  /(.)\1{4,}|xxxx|example|your[-_]|placeholder|redacted|changeme|dummy|sample|insert|replace|deadbeef|\.\.\.|…|\*\*\*/i

/** Whether a key's random part may be real: an example repeats itself, counts, or is made of words. */
export function looksDrawn(part: string): boolean {
  if (FILLER.test(part)) return false
  const digits = countOf(part, /[0-9]/g)
  const capitals = countOf(part, /[A-Z]/g)
  const small = countOf(part, /[a-z]/g)
  if (digits === 0 && (capitals === 0 || small === 0)) return false
  if (digits === 0) return part.length >= 12 && capitals / (capitals + small) >= 0.25
  if (isWords(part)) return false
  return new Set(part).size >= Math.min(6, part.length / 4)
}

/** Bits for each character, as they come. */
export function bitsIn(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Words and numbers joined by dashes: `sk-learn-for-python-3`. */
export function isWords(value: string): boolean {
  return /^(?:[a-z]{2,}|[A-Z][a-z]+|\d{1,6}|v\d+)(?:[-_./ ](?:[a-z]+|[A-Z][a-z]+|\d{1,6}|v\d+))*$/.test(value)
}

/** A letter and something else: plain words and numbers are hardly secrets. */
export function isMixed(value: string): boolean {
  return /\p{L}/u.test(value) && /[0-9!#$%^&*+/=?@~-]/.test(value) && !/^\p{L}+(?:[-_/]\p{L}+)*$/u.test(value)
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
