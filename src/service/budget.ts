import { cursorOf, fit, type Place, placeOf } from './fit.ts'

/** Room for what we say besides the answer: the label, the coverage, the cursor. */
const OURS = 400
const LEAST_CHARS = 1_000
const MOST_CHARS = 2_000_000
/** Nobody cuts an answer there; this keeps one that was not meant to be so large from filling the memory. */
export const UNCUT = 1_000_000_000

/** What an answer may take, and where in it a page begins. */
export interface Budget {
  /** Characters of JSON, all in all. */
  chars: number
  /** What the capability has of it. */
  room: number
  page?: { place: Place; own?: string }
  /** The arguments as the capability knows them: our cursor taken off, and what `room` says. */
  given: Record<string, unknown>
}

/** For a client that cuts: so many characters, of which some are ours. */
export function budgeted(given: Record<string, unknown>, ofClient: number): Budget {
  const page = placeOf(given.cursor)
  const { cursor, max_chars: said, ...rest } = given
  // Models write numbers as texts too.
  const asked = typeof said === 'string' && /^\d+$/.test(said) ? Number(said) : said
  const most = typeof asked === 'number' && Number.isFinite(asked) ? asked : ofClient
  const chars = Math.floor(Math.min(MOST_CHARS, Math.max(LEAST_CHARS, most)))
  return {
    chars,
    room: chars - OURS,
    page,
    given: {
      ...rest,
      ...(page ? page.own !== undefined && { cursor: page.own } : cursor !== undefined && { cursor }),
      // A capability keeps to its room where it is told no number; what is no number it refuses.
      ...(asked !== undefined && typeof asked !== 'number' && { max_chars: asked }),
    },
  }
}

/** As much of the answer as fits behind the head; the rest from a cursor. */
export function fitted(
  answer: object,
  head: object,
  { chars, page }: Budget,
  own: string | undefined,
): Record<string, unknown> {
  const whole = { ...head, ...answer }
  if (!page && JSON.stringify(whole).length <= chars) return whole
  const room = chars - JSON.stringify(head).length - 300
  const { value, next } = fit(answer, Math.max(300, room), page?.place)
  const more = next && {
    more: {
      cursor: cursorOf(next, page ? page.own : own),
      hint: 'There is more: call again with the same arguments and this cursor.',
    },
  }
  return { ...head, ...(value as object), ...more }
}
