import { bounded, MONTHS, NUMBERS, RELATIVE, UNITS, type Unit, WEEKDAYS } from './date-words.ts'

/** A stretch of time that a text names: epoch milliseconds, both ends inclusive, in the user's time zone. */
export interface NamedTime {
  from?: number
  to?: number
  /** As it was typed. */
  words: string
  /** Said as seen from today: "last week", "3 days ago", "on Tuesday"; not by a date. */
  isRelative: boolean
  /** Where in the text it stands. */
  start: number
  end: number
}

/**
 * The time that a text names: "last week", "on July 12", "im Juni", "в прошлый вторник", "上周",
 * "2026-06". Of several the first. What may be something else ("march", "may", a plain number, a
 * month without "in" or a day) is a time only where it is all of the text.
 */
export function timeIn(text: string, now = new Date()): NamedTime | undefined {
  const plain = withoutAccents(text)
  const found = RULES.flatMap((rule) => rule(plain, now)).filter(({ start, end }) => end > start)
  const alone = wordAlone(plain, now)
  if (alone) found.push(alone)
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const [earliest] = found
  if (!earliest) return undefined
  // The first; of those that overlap with it the one that says most: "before July" is less than "July 12".
  const first = found
    .filter(({ start }) => start < earliest.end)
    .reduce((best, each) => (each.end > best.end ? each : best), earliest)
  // "two weeks before August 11" is not before August 11.
  if (MEASURED.test(plain.slice(0, first.start))) return undefined
  const { days, start, end } = withSide(plain, first, now)
  return {
    ...(days.from && { from: days.from.getTime() }),
    ...(days.to && { to: days.to.getTime() - 1 }),
    words: text.slice(start, end).trim(),
    isRelative: first.days.isRelative ?? false,
    start,
    end,
  }
}

/** A text that is nothing but a time. */
export function readTime(text: string, now = new Date()): NamedTime | undefined {
  const found = timeIn(text.trim(), now)
  return found && found.start === 0 && found.end === text.trim().length ? found : undefined
}

const MEASURED =
  /(?:days?|weeks?|weekends?|months?|years?|hours?|дня|дней|недел[яьи]|месяцев?|tage?n?|wochen?) (?:before|after|until|до|после|vor|nach) ?$/u

/** Whole days: `to` is the first moment after them. */
interface Days {
  from?: Date
  to?: Date
  isRelative?: true
}

interface Found {
  days: Days
  start: number
  end: number
}

type Rule = (text: string, now: Date) => Found[]

/** In lower case, and the same length as the text, so that places in it stay true. */
function withoutAccents(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return [...text]
    .map((character) => {
      const plain = character.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
      const kept = /[йЙ]/.test(character) ? character : plain.length === character.length ? plain : character
      return kept.toLowerCase().length === kept.length ? kept.toLowerCase() : kept
    })
    .join('')
}

const MONTH_OF = numbered(MONTHS)
const WEEKDAY_OF = numbered(WEEKDAYS)
const WORD = '[a-zа-яё]+'
const NUMBER = `\\d{1,3}|${Object.keys(NUMBERS).join('|')}`
const YEAR = '(20[0-4]\\d|19[89]\\d)'

const RULES: Rule[] = [
  // 2026-06-12, 2026/06/12, 2026-06
  rule(
    new RegExp(`(?<![\\w.-])${YEAR}[-/](\\d\\d?)(?:[-/](\\d\\d?))?(?![\\w-]|\\.\\d)`, 'u'),
    ([, year, month, day]) =>
      daysIn(Number(year), Number(month) - 1, day === undefined ? undefined : Number(day)),
  ),
  // 12.06.2026
  rule(new RegExp(`(?<![\\w.])(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}(?![\\w.])`, 'u'), ([, day, month, year]) =>
    daysIn(Number(year), Number(month) - 1, Number(day)),
  ),
  // 2026年6月12日, 6月12日, 六月
  rule(
    /(?:(20\d\d)年)?(\d\d?|[一二三四五六七八九]|十[一二]?)月(?:份|(\d\d?)[日号])?/u,
    ([, year, month, day], now) => dated(year, numberOf(month!) - 1, day, now),
  ),
  // July 12, 12th of July 2026, 12. Juli, 12 июля, el 12 de julio
  rule(
    bounded(
      `(?:(?:on|am|le|el|il|the) )?(\\d\\d?)(?:st|nd|rd|th|\\.)?(?: of| de)? (${WORD})(?:,? (?:de )?${YEAR})?`,
    ),
    ([, day, name, year], now) => monthNamed(name!, (month) => dated(year, month, day, now)),
  ),
  rule(
    bounded(`(?:(?:on|the) )?(${WORD}) (?:the )?(\\d\\d?)(?:st|nd|rd|th)?(?:,? ${YEAR})?`),
    ([, name, day, year], now) => monthNamed(name!, (month) => dated(year, month, day, now)),
  ),
  // in June, im Juni 2025, в июне, en junio de 2026, last June
  rule(
    bounded(
      `(?:in|im|en|em|during|last|letzten|в|во|за|с|после|до|seit|bis|since|until|before|after|desde|hasta|depuis) (${WORD})(?: (?:de )?${YEAR})?(?: года?)?`,
    ),
    ([, name, year], now) => monthNamed(name!, (month) => dated(year, month, undefined, now)),
  ),
  // June 2026
  rule(bounded(`(${WORD}) (?:de )?${YEAR}`), ([, name, year], now) =>
    monthNamed(name!, (month) => dated(year, month, undefined, now)),
  ),
  // last Tuesday, on Tuesday, в прошлый вторник, letzten Dienstag, martes pasado
  rule(
    bounded(
      `(?:(?:во? )?прошл(?:ый|ую|ое|ого) |(?:on|last|this|past|am|letzten|vorigen|vergangenen|el|le|в|во) )(${WORD})(?: (?:pasado|dernier|scorso))?`,
    ),
    ([, name], now) => weekdayBefore(WEEKDAY_OF.get(name!), now),
  ),
  rule(bounded(`(${WORD}) (?:pasado|dernier|scorso)`), ([, name], now) =>
    weekdayBefore(WEEKDAY_OF.get(name!), now),
  ),
  // 上周二, 周二, 星期二
  rule(/(上个?)?(?:周|星期|礼拜|週)([一二三四五六日天])/u, ([, last, name], now) => {
    const weekday = '日一二三四五六'.indexOf(name === '天' ? '日' : name!)
    if (!last) return weekdayBefore(weekday, now)
    const { from } = stretch('week', 1, now)
    const day = shifted(from!, (weekday + 6) % 7)
    return { from: day, to: shifted(day, 1), isRelative: true }
  }),
  // the last 7 days, за последние две недели, in den letzten 3 Monaten, 最近三天
  rule(
    bounded(
      `(?:(?:in|over|within|for|во?|за|in|en|dans|nei) )?(?:the |den |los |las |les |gli )?(?:last|past|последние|последний|последнюю|letzten|ultimos|ultimas|derniers|dernieres|ultimi) (${NUMBER})? ?(?:of )?(${WORD})`,
    ),
    ([, number, name], now) => recent(number, name!, now),
  ),
  rule(
    /(?:最近|过去|近)(\d{1,3}|[一两二三四五六七八九十])(天|周|个?星期|个?月|年)/u,
    ([, number, name], now) => recent(number, name!, now),
  ),
  // 3 days ago, неделю назад, vor zwei Wochen, hace 3 dias, il y a 3 jours, 三天前
  rule(bounded(`(?:(${NUMBER}) (?:of )?)?(${WORD}) (?:ago|назад|fa|atras)`), ([, number, name], now) =>
    ago(number, name!, now),
  ),
  rule(bounded(`(?:vor|hace|il y a|ha) (${NUMBER}) (${WORD})`), ([, number, name], now) =>
    ago(number, name!, now),
  ),
  rule(/(\d{1,3}|[一两二三四五六七八九十])(天|周|个?星期|个?月|年)(?:以)?前/u, ([, number, name], now) =>
    ago(number, name!, now),
  ),
  // today, last week …
  ...RELATIVE.map(({ unit, back, words }) =>
    rule(words, ([matched], now, text) =>
      // French says yesterday as German says here.
      matched === 'hier' && /\b(?:das|der|die|den|ist|sind|wird|und|nicht|ich|wir|wie|es)\b/.test(text)
        ? undefined
        : { ...stretch(unit, back, now), isRelative: true },
    ),
  ),
]

function rule(
  pattern: RegExp,
  days: (match: RegExpExecArray, now: Date, text: string) => Days | undefined,
): Rule {
  const all = new RegExp(pattern.source, `${pattern.flags}g`)
  return (text, now) => {
    const found: Found[] = []
    all.lastIndex = 0
    for (let match = all.exec(text); match; match = all.exec(text)) {
      const named = days(match, now, text)
      if (named) found.push({ days: named, start: match.index, end: match.index + match[0].length })
      // Words overlap: "fixed in june" is looked at from "in", too.
      all.lastIndex = match.index + 1
    }
    return found
  }
}

/** "since", "before" and the like turn a stretch into one without an end or a beginning. */
function withSide(text: string, found: Found, now: Date): Found {
  const inside = SIDE.exec(text.slice(found.start, found.end))
  const side = inside ?? SIDE_BEFORE.exec(text.slice(0, found.start))
  if (!side) return found
  const word = side[1]!
  const start = inside ? found.start : side.index
  const { from, to } = found.days
  if (/^(?:since|seit|со?|desde|depuis)$/.test(word))
    return { ...found, start, days: { from, to: endOf(now) } }
  if (/^(?:after|nach|после)$/.test(word)) return { ...found, start, days: { from: to, to: endOf(now) } }
  if (/^(?:until|till|bis|hasta)$/.test(word)) return { ...found, start, days: { to } }
  return { ...found, start, days: { to: from } }
}

const SIDES = 'since|after|seit|nach|со?|после|desde|depuis|before|until|till|bis|vor|до|hasta|avant'
const SIDE = new RegExp(`^(${SIDES}) `, 'u')
const SIDE_BEFORE = new RegExp(`(?<![a-zа-я])(${SIDES}) (?:the |dem |der )?$`, 'u')

/** A month or a weekday that is the whole text. */
function wordAlone(text: string, now: Date): Found | undefined {
  const word = text.trim()
  const start = text.indexOf(word)
  const weekday = WEEKDAY_OF.get(word)
  const month = MONTH_OF.get(word)
  const days =
    weekday !== undefined
      ? weekdayBefore(weekday, now)
      : month !== undefined && word.length > 2
        ? dated(undefined, month, undefined, now)
        : /^(20[0-4]\d)$/.test(word)
          ? { from: new Date(Number(word), 0, 1), to: new Date(Number(word) + 1, 0, 1) }
          : undefined
  return days && { days, start, end: start + word.length }
}

/** The month that a word names, misspelt ones too: "Septmber". */
function monthNamed(name: string, days: (month: number) => Days | undefined): Days | undefined {
  const month = MONTH_OF.get(name) ?? (name.length >= 4 ? nearMonth(name) : undefined)
  return month === undefined ? undefined : days(month)
}

function nearMonth(name: string): number | undefined {
  for (const [known, month] of MONTH_OF) {
    // Short names are near to other words: of these only two letters may be swapped ("Jluy").
    const isNear =
      known.length >= 6
        ? name.length >= 5 && Math.abs(known.length - name.length) <= 1 && isOneMistakeAway(name, known)
        : known.length >= 4 &&
          known.length === name.length &&
          isSwapped(name, known, firstDifference(name, known))
    if (isNear) return month
  }
  return undefined
}

/** One letter more, less or other, or two swapped. */
function isOneMistakeAway(a: string, b: string): boolean {
  const start = firstDifference(a, b)
  const rest = (word: string, skip: number) => word.slice(start + skip)
  return (
    rest(a, 1) === rest(b, 1) ||
    rest(a, 1) === rest(b, 0) ||
    rest(a, 0) === rest(b, 1) ||
    isSwapped(a, b, start)
  )
}

function isSwapped(a: string, b: string, at: number): boolean {
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

function firstDifference(a: string, b: string): number {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  return start
}

/** A month or day; without a year the last one that has begun. */
function dated(
  year: string | undefined,
  month: number,
  day: string | undefined,
  now: Date,
): Days | undefined {
  const number = day === undefined ? undefined : Number(day)
  if (year !== undefined) return daysIn(Number(year), month, number)
  const own = daysIn(now.getFullYear(), month, number)
  return own && own.from! > now ? daysIn(now.getFullYear() - 1, month, number) : own
}

function daysIn(year: number, month: number, day: number | undefined): Days | undefined {
  if (month < 0 || month > 11) return undefined
  if (day === undefined) return { from: new Date(year, month, 1), to: new Date(year, month + 1, 1) }
  const from = new Date(year, month, day)
  return from.getMonth() === month && day > 0 ? { from, to: new Date(year, month, day + 1) } : undefined
}

/** The last one before today. */
function weekdayBefore(weekday: number | undefined, now: Date): Days | undefined {
  if (weekday === undefined) return undefined
  const back = (now.getDay() - weekday + 7) % 7 || 7
  return { ...stretch('day', back, now), isRelative: true }
}

function unitNamed(name: string): Unit | undefined {
  return UNITS.find(([, begins]) => begins.test(name))?.[0]
}

function recent(number: string | undefined, name: string, now: Date): Days | undefined {
  const unit = unitNamed(name)
  const count = number === undefined ? undefined : numberOf(number)
  // "the last week" is the one before this; "the last days" are a week.
  if (!unit || (count === undefined && unit !== 'day')) return undefined
  const days = { day: 1, week: 7, month: 30, year: 365 }[unit] * (count ?? 7)
  return { from: stretch('day', days, now).from!, to: endOf(now), isRelative: true }
}

function ago(number: string | undefined, name: string, now: Date): Days | undefined {
  const unit = unitNamed(name)
  return unit && { ...stretch(unit, number === undefined ? 1 : numberOf(number), now), isRelative: true }
}

/** The day, week (from Monday), month or year that was so many before this one. */
function stretch(unit: Unit, back: number, now: Date): Days {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (unit === 'year') return { from: new Date(year - back, 0, 1), to: new Date(year - back + 1, 0, 1) }
  if (unit === 'month')
    return { from: new Date(year, month - back, 1), to: new Date(year, month - back + 1, 1) }
  if (unit === 'day')
    return { from: new Date(year, month, day - back), to: new Date(year, month, day - back + 1) }
  const monday = day - ((now.getDay() + 6) % 7) - 7 * back
  return { from: new Date(year, month, monday), to: new Date(year, month, monday + 7) }
}

function endOf(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
}

function shifted(day: Date, by: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + by)
}

function numberOf(written: string): number {
  return NUMBERS[written] ?? Number(written)
}

function numbered(names: string[][]): Map<string, number> {
  return new Map(names.flatMap((list, number) => list.map((name) => [name, number] as const)))
}
