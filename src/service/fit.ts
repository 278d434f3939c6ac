/** Where in a JSON value a page begins: keys and indices from the root, then an offset into a string. */
export type Place = (string | number)[]

export interface Page {
  value: unknown
  /** Where the next page begins; missing on the last one. */
  next?: Place
}

/** Parts of an object up to this size are repeated on every page: they say what the rest belongs to. */
const SMALL = 200
const LEAST_TEXT = 16

/**
 * As much of a JSON value as `most` characters of JSON hold, beginning at a place. The shape stays:
 * lists are shortened, then texts, and what comes before or after is empty, never missing.
 */
export function fit(value: unknown, most: number, from: Place = []): Page {
  if (from.length === 0 && sizeOf(value) <= most) return { value }
  if (typeof value === 'string') return fitText(value, most, from)
  if (Array.isArray(value)) return fitList(value, most, from)
  if (value && typeof value === 'object') return fitObject(value as Record<string, unknown>, most, from)
  return { value }
}

function fitText(text: string, most: number, [from]: Place): Page {
  const start = typeof from === 'number' && from > 0 && from < text.length ? Math.floor(from) : 0
  let end = Math.min(text.length, start + Math.max(LEAST_TEXT, most))
  // Quotes and line ends are longer in JSON than they are.
  while (end - start > LEAST_TEXT && sizeOf(text.slice(start, end)) > most) {
    end = start + Math.max(LEAST_TEXT, Math.floor((end - start) * 0.85))
  }
  if (end < text.length && isLowHalf(text.charCodeAt(end))) end--
  const value = text.slice(start, end)
  return end < text.length ? { value, next: [end] } : { value }
}

function fitList(list: unknown[], most: number, [from, ...within]: Place): Page {
  const start = typeof from === 'number' && from > 0 && from < list.length ? Math.floor(from) : 0
  const value: unknown[] = []
  let room = most - 2
  for (let i = start; i < list.length; i++) {
    const resumed = i === start && within.length > 0
    const size = sizeOf(list[i]) + 1
    if (!resumed && size <= room) {
      value.push(list[i])
      room -= size
      continue
    }
    if (value.length > 0) return { value, next: [i] }
    const part = fit(list[i], room - 1, resumed ? within : [])
    value.push(part.value)
    room -= sizeOf(part.value) + 1
    if (part.next) return { value, next: [i, ...part.next] }
  }
  return { value }
}

function fitObject(object: Record<string, unknown>, most: number, [from, ...within]: Place): Page {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  const sizes = entries.map(([key, value]) => sizeOf(key) + sizeOf(value) + 2)
  const sumOfSmall = sizes.reduce((sum, size) => (size <= SMALL ? sum + size : sum), 0)
  // Where even the small parts are too many they are told in turn as well.
  const small = sumOfSmall <= most * 0.6 ? SMALL : -1
  const start = Math.max(
    0,
    entries.findIndex(([key]) => key === from),
  )
  let room = most - 2
  for (const [i, [key, value]] of entries.entries()) {
    room -= sizes[i]! <= small ? sizes[i]! : sizeOf(key) + sizeOf(emptied(value)) + 2
  }
  const value: Record<string, unknown> = {}
  let next: Place | undefined
  for (const [i, [key, each]] of entries.entries()) {
    if (sizes[i]! <= small) value[key] = each
    else if (i < start || next) {
      if (emptied(each) !== undefined) value[key] = emptied(each)
    } else {
      const resumed = i === start && from === key ? within : []
      const isFirst = i === start
      if (!isFirst && room < 200 && sizes[i]! > room) {
        next = [key]
        value[key] = emptied(each)
        continue
      }
      const part = fit(each, Math.max(0, room), resumed)
      value[key] = part.value
      room -= sizeOf(part.value)
      if (part.next) next = [key, ...part.next]
    }
  }
  return next ? { value, next } : { value }
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return value && typeof value === 'object' ? {} : undefined
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

/** A place as an opaque text, together with the cursor that the capability itself was given. */
export function cursorOf(place: Place, own?: string): string {
  return `page.${Buffer.from(JSON.stringify(own === undefined ? [place] : [place, own])).toString('base64url')}`
}

export function placeOf(cursor: unknown): { place: Place; own?: string } | undefined {
  if (typeof cursor !== 'string' || !cursor.startsWith('page.') || cursor.length > 20_000) return undefined
  try {
    const [place, own] = JSON.parse(Buffer.from(cursor.slice(5), 'base64url').toString()) as unknown[]
    if (!Array.isArray(place) || place.length > 64) return undefined
    if (!place.every((step) => typeof step === 'string' || typeof step === 'number')) return undefined
    return typeof own === 'string' ? { place, own } : { place }
  } catch {
    return undefined
  }
}
