import type { Documents } from '../archive/archive.ts'
import type { Group } from './group.ts'

/** A day, month or year named in a query. */
export interface DateWord {
  part: 'day' | 'month' | 'year'
  value: number
}

const MONTHS = [
  ['january', 'jan', 'январь', 'января', 'январе'],
  ['february', 'feb', 'февраль', 'февраля', 'феврале'],
  ['march', 'mar', 'март', 'марта', 'марте'],
  ['april', 'apr', 'апрель', 'апреля', 'апреле'],
  ['may', 'май', 'мая', 'мае'],
  ['june', 'jun', 'июнь', 'июня', 'июне'],
  ['july', 'jul', 'июль', 'июля', 'июле'],
  ['august', 'aug', 'август', 'августа', 'августе'],
  ['september', 'sep', 'sept', 'сентябрь', 'сентября', 'сентябре'],
  ['october', 'oct', 'октябрь', 'октября', 'октябре'],
  ['november', 'nov', 'ноябрь', 'ноября', 'ноябре'],
  ['december', 'dec', 'декабрь', 'декабря', 'декабре'],
]
const MONTH_OF = new Map(MONTHS.flatMap((names, month) => names.map((name) => [name, month] as const)))

const ASCII = /^[\x00-\x7f]*$/

/** The dates that a query names: months and years, and days beside a month. Plain numbers are no dates. */
export function datesIn(text: string): DateWord[] {
  const found: DateWord[] = []
  const words = text.match(ASCII.test(text) ? /[A-Za-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []
  for (const [i, word] of words.entries()) {
    const month = MONTH_OF.get(word.toLowerCase())
    if (month !== undefined && !(word === 'may' || word === 'mar' || word === 'march')) {
      found.push({ part: 'month', value: month })
      for (const near of [words[i - 1], words[i + 1]]) {
        const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(near ?? '')?.[1])
        if (day >= 1 && day <= 31) found.push({ part: 'day', value: day })
      }
    }
    if (/^20[0-3]\d$/.test(word)) found.push({ part: 'year', value: Number(word) })
  }
  const iso = /\b(20[0-3]\d)-(\d\d)-(\d\d)\b/.exec(text)
  if (iso) found.push({ part: 'month', value: Number(iso[2]) - 1 }, { part: 'day', value: Number(iso[3]) })
  return found
}

/** The messages of that day, month or year. */
export function messagesOn(documents: Documents, { part, value }: DateWord): Group {
  const days = calendar()[part]
  const { at, said, end } = documents
  const keys = new Int32Array(documents.messages.said)
  let size = 0
  for (let key = 0; key < end; key++)
    if (said[key] !== 0 && at[key] !== 0 && days[Math.floor(at[key]! / DAY)] === value) keys[size++] = key
  return { size, keys, counts: new Uint8Array(size).fill(1), messages: size }
}

const DAY = 86_400
const LAST_DAY = 30_000
let known: Record<DateWord['part'], Uint16Array> | undefined

/** Day, month and year of every day since 1970, where the user is. */
function calendar(): Record<DateWord['part'], Uint16Array> {
  if (known) return known
  known = {
    day: new Uint16Array(LAST_DAY),
    month: new Uint16Array(LAST_DAY),
    year: new Uint16Array(LAST_DAY),
  }
  for (let day = 0; day < LAST_DAY; day++) {
    const noon = new Date((day + 0.5) * DAY * 1000)
    known.day[day] = noon.getDate()
    known.month[day] = noon.getMonth()
    known.year[day] = noon.getFullYear()
  }
  return known
}
