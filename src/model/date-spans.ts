/** Times that others are made of: from one to another, since or before one, a quarter or half of one. */

/** Whole days, or the last hours: `to` is the first moment after them. */
export interface Days {
  from: Date
  to: Date
  isRelative?: true
  /** Of one whose year or week was not said: the first that does not begin before. */
  next?: (from: Date) => Days | undefined
  /** From one time to another. */
  isRange?: true
  /** So long ago: "vor" and its like are part of it, and nothing before it is meant. */
  isAgo?: true
}

interface Place {
  start: number
  end: number
}

export interface Found extends Place {
  days: Days
  /** A word that is a time only where it is all of the text, or where what is beside it says so. */
  bare?: string
}

const ARTICLE = '(?:the |de[mnr] |zum |el |la |le |il |o |a |l.)?'
/** What stands between two times of which one goes on to the other. */
export const TO = ` ?(?:[-–—~…]|\\.{2,3}) ?| (?:to|until|till|through|bis|по|до|al?|au|hasta|ate) ${ARTICLE}|[到至]|から|부터 `
/** The same behind "between". */
export const AND = `( (?:and|und|и|y|et?) ${ARTICLE}|[和与と])`

const SINCE = 'since|ab|seit|со?|desde|depuis|dal?'
const SIDES = `(${SINCE})|(after|nach|после|apres|despues del?|depois d[aeo]|dopo)|(until|till|bis|hasta|ate|jusqu.au?|fino al?)|before|vor|до|avant|antes d(?:el?|[ao])|prima d(?:i|el)`
const SIDE = new RegExp(`^(?:${SIDES}) `, 'u')
const SIDE_BEFORE = new RegExp(`(?<![a-zа-я])(?:${SIDES}) ${ARTICLE}$`, 'u')
const SIDE_BEHIND = /^ ?(?:(以来|以降|から|이후|부터)|(之后|以后|以後)|(まで|까지)|之前|以前|이전)/u
const SINCE_ROUND = /^(以来|开始|起)/u
const OPEN = new RegExp(
  `(?<![a-zа-я])(?:(?:(between|zwischen|между|entre|tra|fra)|from|vo[mn]|от|${SINCE}|del?|du) ${ARTICLE}|[从從自])$`,
  'u',
)
const CLOSE = /^(?:まで|까지|(之间|の間))/u
const JOINED = new RegExp(`^(?:${TO}|/|${AND})$`, 'u')

/** The days from one time to another; one whose year or week was not said is the nearest to the other. */
export function between(a: Days, b: Days): Days {
  const isDay = +a.to - +a.from < 1.5 * DAY
  const isAlike = a.isRelative === b.isRelative && (isDay || !a.isRelative)
  const yearBefore = new Date(b.from.getFullYear() - 1, b.from.getMonth(), b.from.getDate() + 1)
  const first = (!a.isRelative && !b.isRelative && !b.next && a.next?.(yearBefore)) || a
  const next = isAlike && b.next?.(a.from)
  // "from March 10 to March 3" is no year.
  const last = next && +next.from - +a.from < 350 * DAY ? next : b
  return {
    from: new Date(Math.min(+first.from, +last.from)),
    to: new Date(Math.max(+first.to, +last.to)),
    isRelative: a.isRelative ?? b.isRelative,
    isRange: true,
  }
}

/** Whether "from" or the like stands before that place; "between", where the two are joined by "and". */
export function opens(text: string, start: number, and: string | undefined): boolean {
  const open = OPEN.exec(text.slice(0, start))
  return open !== null && (!and || open[1] !== undefined)
}

/** From one time that the text names to another. */
export function ranges(text: string, named: Found[]): Found[] {
  return named.flatMap((a) =>
    named.flatMap((b) => {
      const join = b.start >= a.end && JOINED.exec(text.slice(a.end, b.start))
      if (!join || SIDE.test(text.slice(a.start))) return []
      const isSure = join[1]
        ? CLOSE.exec(text.slice(b.end))?.[1]
        : (isSafe(a) && isSafe(b)) || isAll(text, a.start, b.end)
      if (!isSure && !opens(text, a.start, join[1])) return []
      return { days: between(a.days, b.days), start: a.start, end: b.end }
    }),
  )
}

/** Whether it is hardly anything else: "среда" is what programs run in, too. */
function isSafe({ bare = '' }: Found): boolean {
  return !/^(?:may|mar(?:ch|s)?|сред.+|\d.*)$/.test(bare)
}

function isAll(text: string, start: number, end: number): boolean {
  return text.trim() === text.slice(start, end)
}

/** Whether it is a time, by itself or by what is beside it. */
export function isTold(text: string, found: Found): boolean {
  const { bare, start, end } = found
  if (!bare || isAll(text, start, end)) return true
  const isSure = isSafe(found) || /^\d/.test(bare) || !/[\p{L}\d]/u.test(text.slice(end))
  return isSure && bare.length > 3 && sideOf(text, found) !== undefined
}

/** "since", "before" and the like beside a time, and where both begin and end. */
function sideOf(text: string, { start, end }: Found): (Place & { words: RegExpExecArray }) | undefined {
  const ahead = text.slice(0, start)
  const before = SIDE_BEFORE.exec(ahead)
  if (before) return { words: before, start: before.index, end }
  const lead = /(?:[从從]|自从?)?$/u.exec(ahead)!
  const behind = (lead[0] ? SINCE_ROUND : SIDE_BEHIND).exec(text.slice(end))
  return behind ? { words: behind, start: lead.index, end: end + behind[0].length } : undefined
}

/** "since", "before" and the like turn a stretch into one without an end or a beginning. */
export function withSide(text: string, found: Found, tomorrow: Date): Place & { days: Partial<Days> } {
  const { days, start, end } = found
  const { from, to, isRange, isAgo } = days
  if (isRange) {
    const open = OPEN.exec(text.slice(0, start))
    const close = CLOSE.exec(text.slice(end))
    if (open || close) return { days, start: open?.index ?? start, end: end + (close?.[0].length ?? 0) }
  }
  const inside = isRange || isAgo ? null : SIDE.exec(text.slice(start, end))
  const side = inside ? { words: inside, start, end } : sideOf(text, found)
  if (!side) return found
  const [, since, after, until] = side.words
  const sided = since
    ? { from, to: tomorrow }
    : after
      ? { from: to, to: tomorrow }
      : { to: until ? to : from }
  return { days: sided, start: side.start, end: side.end }
}

/** A quarter or half of what another names: "third quarter of 2026", "2026年上半年". */
export function partOf(text: string, { days, start, end }: Found): Found[] {
  const before = PART_BEFORE.exec(text.slice(0, start))
  const part = before ?? PART_BEHIND.exec(text.slice(end))
  if (!part) return []
  const [words, letter, digit, ...rest] = part
  const parts = letter === 'q' || rest[4] ? 4 : 2
  const number = digit ? Number(digit) - 1 : rest.findIndex(Boolean)
  const length = Math.round((+days.to - +days.from) / DAY)
  // Of a year, or of a month.
  if (number >= parts || length < (parts === 4 ? 365 : 28)) return []
  const at = (part: number) =>
    length < 365
      ? new Date(days.from.getFullYear(), days.from.getMonth(), 1 + Math.ceil((length * part) / parts))
      : new Date(days.from.getFullYear(), (12 / parts) * part, 1)
  const place = before ? { start: before.index, end } : { start, end: end + words.length }
  return [{ ...place, days: { from: at(number), to: at(number + 1) } }]
}

const DAY = 86_400_000
const PART =
  '(?:([qh])([1-4])|第?(?:(1|first|erste|перв|prim|premi|[一上])|(2|second|zweite|втор|segund|deuxi|[二下])|(3|third|dritte|трет|ter[cz]|troisi|三)|([4四]|fourth|vierte|четв|[cq]uart|quatri))[a-zа-я.-]* ?(?:(quart(?:er|al)|кварт|trimest|季度|四半期)|half|halb|halft|полуг|полов|semest|mitad|metad|meta|moit|半[年期])[a-zа-я]*)'
const PART_BEFORE = new RegExp(
  `(?<![a-zа-я0-9_.-])(?:(?:in|im|en|во?|au|nel|no) ${ARTICLE})?${PART}(?: (?:of|del?|d[ou]|des|der|von))?[ /-]$`,
  'u',
)
const PART_BEHIND = new RegExp(`^[ /-]?的?${PART}(?![a-zа-я0-9_-])`, 'u')
