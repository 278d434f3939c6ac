/** Tells what a machine drew by lot from what people wrote. */

const FILLER =
  /(.)\1{4,}|xxxx|example|your[-_]|placeholder|redacted|changeme|dummy|sample|insert|replace|deadbeef|\.\.\.|…|\*\*\*/i

/** Whether a key's random part may be real: an example repeats itself, counts, or is made of words. */
export function looksDrawn(part: string): boolean {
  let [digits, capitals, small] = [0, 0, 0]
  for (let i = 0; i < part.length; i++) {
    const code = part.charCodeAt(i)
    if (code >= 48 && code <= 57) digits++
    else if (code >= 65 && code <= 90) capitals++
    else if (code >= 97 && code <= 122) small++
  }
  if (digits === 0 && (part.length < 12 || small === 0 || capitals / (capitals + small) < 0.25)) return false
  // A name: small letters with dashes, and a number or two.
  if (capitals === 0 && digits < 3 && /[-_]/.test(part)) return false
  if (FILLER.test(part)) return false
  if (digits === 0) return true
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

/** Letters in such an order of large and small as nobody writes words in. */
export function isMixedCase(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0
  return value.length >= 8 && changes >= value.length / 5
}
