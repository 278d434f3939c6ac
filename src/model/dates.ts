import {
  AND,
  between,
  type Days,
  type Found,
  isTold,
  opens,
  partOf,
  ranges,
  TO,
  withSide,
} from './date-spans.ts'
import {
  bounded,
  MONTHS,
  NUMBERS,
  QUARTERS,
  RELATIVE,
  UNITS,
  type Unit,
  WEEKDAYS,
  WEEKEND,
} from './date-words.ts'

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
 * "2026-06", "third quarter of 2025", from one to another, since or before one. Of several the first. What may be
 * something else ("march", "may", a weekday, a year, a month without "in" or a day) is a time only where it is all of
 * the text, or where words beside it say so.
 */
export function timeIn(text: string, now = new Date()): NamedTime | undefined {
  const plain = withoutAccents(text)
  const rules = /\d/.test(plain) ? [...DATES, ...RULES] : RULES
  const named = [...rules.flatMap((rule) => rule(plain, now)), ...bareWords(plain, now)]
  if (named.length === 0) return undefined
  named.push(...named.flatMap((each) => partOf(plain, each)))
  const found = [...ranges(plain, named), ...named.filter((each) => isTold(plain, each))]
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const [earliest] = found
  if (!earliest) return undefined
  // The first; of those that overlap with it the one that says most: "before July" is less than "July 12".
  const first = found
    .filter(({ start }) => start < earliest.end)
    .reduce((best, each) => (each.end > best.end ? each : best), earliest)
  // "two weeks before August 11" is not before August 11.
  if (MEASURED.test(plain.slice(0, first.start))) return undefined
  const { days, start, end } = withSide(plain, first, endOf(now))
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

type Rule = (text: string, now: Date) => Found[]

/** In lower case, and the same length as the text, so that places in it stay true. "й" is a letter of its own. */
function withoutAccents(text: string): string {
  return text.replace(ACCENTED, (letter) => letter.normalize('NFD')[0]!).toLowerCase()
}

const ACCENTED = /[À-ɏЀ-Џѐ-џḀ-ỿ]/g

const MONTH_OF = numbered(MONTHS)
const WEEKDAY_OF = numbered(WEEKDAYS)
const WORD = '[a-zа-яё]+'
const NUMBER = `\\d{1,3}|${Object.keys(NUMBERS).join('|')}`
const YEAR = '(20[0-4]\\d|19[89]\\d)'

const ORDER = '(?:st|nd|rd|th|\\.)?'

/** July 3 to 12; asked only where there are two numbers. */
const daysBehindMonth = rule(
  bounded(`(${WORD}) (\\d\\d?)${ORDER}(?:${TO}|${AND})(\\d\\d?)${ORDER}(?:,? ${YEAR})?`),
  ({ 1: name, 2: first, 3: and, 4: day, 5: year, index }, now, text) =>
    and && !opens(text, index, and)
      ? undefined
      : monthNamed(name!, (month) => dated(year, month, day, now, first)),
)

/** Last quarter, dieses Quartal, 上个季度. */
const quarters = rule(QUARTERS, ([, isThis, half, passed, isNow], now) => ({
  ...stretch(half || passed ? 'half' : 'quarter', isThis || isNow ? 0 : 1, now),
  isRelative: true,
}))

const weekends = rule(WEEKEND, ([, ...passed], now) => {
  const isNow = now.getDay() % 6 === 0
  const sinceSaturday = (now.getDay() + 1) % 7
  const isBefore = isNow && passed.some(Boolean)
  return { ...daysFrom(now, -sinceSaturday - (isBefore ? 7 : 0), 2), isRelative: true }
})

/** Those of which none is found in a text without digits. */
const DATES: Rule[] = [
  // 2026-06-12, 2026/06/12, 2026-06
  rule(
    new RegExp(`(?<![\\w-]|(?<!\\.)\\.)${YEAR}[-/](\\d\\d?)(?:[-/](\\d\\d?))?(?![\\w-]|\\.\\d)`, 'u'),
    ([, year, month, day]) =>
      daysIn(Number(year), Number(month) - 1, day === undefined ? undefined : Number(day)),
  ),
  // 12.06.2026
  rule(new RegExp(`(?<![\\w.])(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}(?![\\w.])`, 'u'), ([, day, month, year]) =>
    daysIn(Number(year), Number(month) - 1, Number(day)),
  ),
  // July 12, 12th of July 2026, 12. Juli, 12 июля, el 12 de julio, 3 to 12 July
  rule(
    bounded(
      `(?:(?:on|am|le|el|il|the) )?(?:(\\d\\d?)${ORDER}(?:${TO}|${AND}))?(\\d\\d?)${ORDER}(?: of| de)? (${WORD})(?:,? (?:de )?${YEAR})?`,
    ),
    (match, now, text) => {
      const [all, first, and, day, name, year] = match
      const isSure = !and && (name !== 'may' || year || all === text)
      if (first && !isSure && !opens(text, match.index, and)) return undefined
      return monthNamed(name!, (month) => dated(year, month, day, now, first))
    },
  ),
  rule(
    bounded(`(?:(?:on|the) )?(${WORD}) (?:the )?(\\d\\d?)(?:st|nd|rd|th)?(?:,? ${YEAR})?`),
    ([, name, day, year], now) => monthNamed(name!, (month) => dated(year, month, day, now)),
  ),
  (text, now) => (/\d\D+\d/.test(text) ? daysBehindMonth(text, now) : []),
  // June 2026, May-June 2026
  rule(bounded(`(${WORD}) (?:de )?${YEAR}`, "_.'"), ([, name, year], now) =>
    monthNamed(name!, (month) => dated(year, month, undefined, now)),
  ),
]

const RULES: Rule[] = [
  // 2026年6月12日, 6月12日, 六月, 6月3日至12日
  rule(
    /(?:(20\d\d)年)?(\d\d?|[一二三四五六七八九]|十[一二]?)月(?:份|(?:(\d\d?)[日号]?(?:[-–~至到]|から))?(\d\d?)[日号])?/u,
    ([, year, month, first, day], now) => dated(year, numberOf(month!) - 1, day, now, first),
  ),
  // in June, im Juni 2025, в июне, en junio de 2026, last June
  rule(
    bounded(
      `(?:in|im|en|em|during|last|letzten|в|во|за|с|после|до|seit|bis|since|until|before|after|desde|hasta|depuis) (${WORD})(?: (?:de )?${YEAR})?(?: года?)?`,
    ),
    ([, name, year], now) => monthNamed(name!, (month) => dated(year, month, undefined, now)),
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
    return { ...daysFrom(stretch('week', 1, now).from, (weekday + 6) % 7, 1), isRelative: true }
  }),
  // the last 7 days, за последние две недели, in den letzten 3 Monaten, 最近三天
  rule(
    bounded(
      `(?:(?:in|over|within|for|во?|за|in|en|dans|nei) )?(?:the |den |los |las |les |gli )?(?:last|past|последние|последний|последнюю|letzten|ultimos|ultimas|derniers|dernieres|ultimi) (${NUMBER})? ?(?:of )?(${WORD})`,
    ),
    ([, number, name], now) => recent(number, name!, now),
  ),
  rule(
    /(?:最近|过去|近)(\d{1,3}|[一两二三四五六七八九十])(个?小时|天|周|个?星期|个?月|个?季度|年)/u,
    ([, number, name], now) => recent(number, name!, now),
  ),
  // 3 days ago, неделю назад, vor zwei Wochen, hace 3 dias, il y a 3 jours, 三天前
  rule(bounded(`(?:(${NUMBER}) (?:of )?)?(${WORD}) (?:ago|назад|fa|atras)`), ([, number, name], now) =>
    ago(number, name!, now),
  ),
  rule(bounded(`(?:vor|hace|il y a|ha) (${NUMBER}) (${WORD})`), ([, number, name], now) =>
    ago(number, name!, now),
  ),
  rule(
    /(\d{1,3}|[一两二三四五六七八九十])(天|周|个?星期|个?月|个?季度|年)(?:以)?前/u,
    ([, number, name], now) => ago(number, name!, now),
  ),
  // last quarter, dieses Quartal, 上个季度
  (text, now) =>
    /quart|trimes|semes|half|halb|кварт|полуг|季|四半|분기/.test(text) ? quarters(text, now) : [],
  // last weekend
  (text, now) => (/week-?end|wochenende|выходных|fi[nm]|周末|週末/.test(text) ? weekends(text, now) : []),
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

/** Months, weekdays and years that stand there as words of their own. */
function bareWords(text: string, now: Date): Found[] {
  const found: Found[] = []
  BARE.lastIndex = 0
  for (let match = BARE.exec(text); match; match = BARE.exec(text)) {
    const [bare] = match
    const end = BARE.lastIndex
    const year = Number(bare.slice(0, 4))
    const weekday = WEEKDAY_OF.get(bare)
    const month = MONTH_OF.get(bare)
    if (!year && weekday === undefined && month === undefined) continue
    if (!WORD_BEFORE.test(text.slice(0, match.index)) || !WORD_BEHIND.test(text.slice(end))) continue
    // "dec" and "oct" are numbers, too; 2048 is hardly a year.
    const isUnsure = year ? Math.abs(now.getFullYear() - year - 6) > 6 : /^[^mм]..$/u.test(bare)
    if (isUnsure && bare !== text.trim()) continue
    const days =
      weekday !== undefined
        ? weekdayBefore(weekday, now)
        : month !== undefined
          ? dated(undefined, month, undefined, now)
          : { from: new Date(year, 0, 1), to: new Date(year + 1, 0, 1) }
    if (days) found.push({ days, start: match.index, end, bare })
  }
  return found
}

// Most words are none of these: what is beside one is looked at then.
const BARE = /[a-zа-я]{3,}|20[0-4]\d(?:年| года?)?/g
const WORD_BEFORE = /(?<![\wа-я.'])$/
const WORD_BEHIND = /^(?![\wа-я']|\.\w|[-/]\d\d?(?!\d)| \d\d?(?!\d))/

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

/** A month or day, or the days from another on to it; without a year the last one that has begun. */
function dated(
  year: string | undefined,
  month: number,
  day: string | undefined,
  now: Date,
  first?: string,
): Days | undefined {
  const number = day === undefined ? undefined : Number(day)
  if (first !== undefined) {
    const [from, to] = [dated(year, month, first, now), dated(year, month, day, now)]
    return from && to && Number(first) < number! ? between(from, to) : undefined
  }
  if (year !== undefined) return daysIn(Number(year), month, number)
  const inYearOf = (date: Date, later: number) => daysIn(date.getFullYear() + later, month, number)
  const own = inYearOf(now, 0)
  const last = own && own.from > now ? inYearOf(now, -1) : own
  const next = (from: Date) => {
    const same = inYearOf(from, 0)
    return same && same.from < from ? inYearOf(from, 1) : same
  }
  return last && { ...last, next }
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
  const next = (from: Date) => stretch('day', (from.getDay() - weekday - 7) % 7, from)
  return { ...stretch('day', back, now), isRelative: true, next }
}

function unitNamed(name: string): Unit | 'hour' | undefined {
  return UNITS.find(([, begins]) => begins.test(name))?.[0]
}

function recent(number: string | undefined, name: string, now: Date): Days | undefined {
  const unit = unitNamed(name)
  const count = number === undefined ? undefined : numberOf(number)
  if (unit === 'hour') return { from: new Date(+now - (count ?? 1) * HOUR), to: endOf(now), isRelative: true }
  // "the last week" is the one before this; "the last days" are a week.
  if (!unit || (count === undefined && unit !== 'day')) return undefined
  const days = { day: 1, week: 7, month: 30, quarter: 91, half: 182, year: 365 }[unit] * (count ?? 7)
  return { from: stretch('day', days, now).from, to: endOf(now), isRelative: true }
}

const HOUR = 3_600_000

function ago(number: string | undefined, name: string, now: Date): Days | undefined {
  const unit = unitNamed(name)
  const back = number === undefined ? 1 : numberOf(number)
  if (!unit || unit === 'hour') return undefined
  return { ...stretch(unit, back, now), isRelative: true, isAgo: true }
}

/** The day, week (from Monday), month, quarter, half or year that was so many before this one. */
function stretch(unit: Unit, back: number, now: Date): Days {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  if (unit === 'day') return daysFrom(now, -back, 1)
  if (unit === 'week') return daysFrom(now, -((now.getDay() + 6) % 7) - 7 * back, 7)
  const months = { month: 1, quarter: 3, half: 6, year: 12 }[unit]
  const first = month - (month % months) - back * months
  return { from: new Date(year, first, 1), to: new Date(year, first + months, 1) }
}

function endOf(now: Date): Date {
  return daysFrom(now, 1, 1).from
}

/** So many days from another on. */
function daysFrom(day: Date, by: number, count: number): Days {
  const at = (more: number) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + by + more)
  return { from: at(0), to: at(count) }
}

function numberOf(written: string): number {
  return NUMBERS[written] ?? Number(written)
}

function numbered(names: string[][]): Map<string, number> {
  return new Map(names.flatMap((list, number) => list.map((name) => [name, number] as const)))
}
