/** `3 requests`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

const UNITS: [milliseconds: number, name: string][] = [
  [365 * 86_400_000, 'year'],
  [30 * 86_400_000, 'month'],
  [7 * 86_400_000, 'week'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/** `5 minutes ago`. */
export function ago(at: number | undefined, now = Date.now()): string {
  if (at === undefined) return ''
  const past = now - at
  for (const [milliseconds, name] of UNITS) {
    const number = Math.floor(past / milliseconds)
    if (number >= 1) return `${count(number, name)} ago`
  }
  return 'just now'
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
