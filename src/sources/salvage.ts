/** A record found in a line that is not JSON as a whole, and where it stands. */
export interface Salvaged {
  value: object
  start: number
  stop: number
}

/** How records begin, whoever writes them: what follows half a record is looked for by it. */
const BEGINNING = /\{"(?:type|timestamp|parentUuid|isSidechain|id|sessionId|kind|role)"/g
const MOST_TRIES = 64
const [QUOTE, ESCAPE, OPEN, CLOSE] = [34, 92, 123, 125]

/**
 * The objects that stand in a line one after the other, and those behind something broken: two
 * programs wrote at once, one was killed in the middle of a record, or a byte got damaged.
 */
export function* recordsIn(bytes: Buffer): Generator<Salvaged> {
  let start = nextOpen(bytes, 0)
  let tries = 0
  while (start >= 0 && tries < MOST_TRIES) {
    const stop = endOfObject(bytes, start)
    const value = stop < 0 ? undefined : parsed(bytes.subarray(start, stop))
    if (value) {
      yield { value, start, stop }
      start = nextOpen(bytes, stop)
    } else {
      tries++
      start = nextBeginning(bytes, start + 1)
    }
  }
}

function nextOpen(bytes: Buffer, from: number): number {
  return bytes.indexOf(OPEN, from)
}

function nextBeginning(bytes: Buffer, from: number): number {
  BEGINNING.lastIndex = 0
  const found = BEGINNING.exec(bytes.toString('latin1', from))
  return found ? from + found.index : -1
}

/** Just behind the object that begins here, or -1 where it does not end. */
function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (quoted) {
      if (byte === ESCAPE) at++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  return -1
}

/** As JSON, also where control characters stand in a text or damaged bytes between the values. */
function parsed(bytes: Buffer): object | undefined {
  const text = bytes.toString('utf8')
  const bare = text.replaceAll(/[\u0000-\u001f]/g, ' ')
  for (const attempt of [text, bare, bare.replaceAll('\ufffd', '')]) {
    try {
      const value: unknown = JSON.parse(attempt)
      return typeof value === 'object' && value !== null ? value : undefined
    } catch {}
  }
  return undefined
}
