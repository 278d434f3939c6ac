/** Where a key may begin and end: not inside of a word, whatever way the text around it is escaped. */

const DASH = 45
const ESCAPES = 'nrtbf"'

export function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
  )
}

/** Whether something of its own may begin here. */
export function beginsAt(text: string, at: number): boolean {
  const last = at === 0 ? 32 : text.charCodeAt(at - 1)
  if (last === DASH) return at < 2 || !isWordCode(text.charCodeAt(at - 2))
  if (!isWordCode(last)) return true
  const before = text.slice(Math.max(0, at - 8), at)
  return (
    // `\n` in JSON, `%3D` in a URL, `\u003d`, and the end of a colour on a terminal.
    (before.at(-2) === '\\' && ESCAPES.includes(before.at(-1) as string)) ||
    /(?:%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\[[\d;]{1,5}m)$/.test(before)
  )
}

/** The run of characters around a place that a test lets through, at most so many on each side. */
export function runAround(
  text: string,
  at: number,
  isPart: (code: number) => boolean,
  most: number,
): { from: number; to: number } {
  let from = at
  while (from > 0 && at - from < most && isPart(text.charCodeAt(from - 1))) from--
  let to = at
  while (to < text.length && to - at < most && isPart(text.charCodeAt(to))) to++
  return { from, to }
}
