import { type Language, useLanguage } from './words.ts'

/** Numbers and times as people of the chosen language write them. */
export function useFormat() {
  return formatsOf(useLanguage())
}

type Formats = ReturnType<typeof made>
const kept = new Map<Language, Formats>()

function formatsOf(language: Language): Formats {
  const known = kept.get(language) ?? made(language)
  kept.set(language, known)
  return known
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function made(language: Language) {
  const number = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  const dayAndYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
  const monthAndYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' })
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' })
  const unit = (name: string, digits = 1, unitDisplay: 'narrow' | 'short' = 'narrow') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits })
  const units = {
    byte: unit('byte', 0, 'short'),
    kilobyte: unit('kilobyte', 1, 'short'),
    megabyte: unit('megabyte', 1, 'short'),
    gigabyte: unit('gigabyte', 2, 'short'),
    millisecond: unit('millisecond', 0),
    second: unit('second'),
    minute: unit('minute', 0),
    hour: unit('hour'),
  }
  const date = (at: number) =>
    (new Date(at).getFullYear() === new Date().getFullYear() ? day : dayAndYear).format(at)
  return {
    number: (n: number) => number.format(n),
    compact: (n: number) => compact.format(n),
    percent: (n: number) => percent.format(n),
    dollars: (n: number) => dollars.format(n),
    bytes: (n: number) =>
      n < 1000
        ? units.byte.format(n)
        : n < 1e6
          ? units.kilobyte.format(n / 1e3)
          : n < 1e9
            ? units.megabyte.format(n / 1e6)
            : units.gigabyte.format(n / 1e9),
    duration: (ms: number) =>
      ms < 1000
        ? units.millisecond.format(ms)
        : ms < MINUTE
          ? units.second.format(ms / 1000)
          : ms < HOUR
            ? units.minute.format(ms / MINUTE)
            : units.hour.format(ms / HOUR),
    date,
    month: (at: number) => monthAndYear.format(at),
    /** Today, yesterday. */
    day: (away: number) => relative.format(away, 'day'),
    clock: (at: number) => clock.format(at),
    moment: (at: number) => full.format(at),
    /** As short as it can be said: minutes ago, hours ago, a day of the last week, a date. */
    ago: (at: number, now = Date.now()) => {
      const past = now - at
      if (past < MINUTE) return relative.format(0, 'minute')
      if (past < HOUR) return relative.format(-Math.floor(past / MINUTE), 'minute')
      if (past < DAY) return relative.format(-Math.floor(past / HOUR), 'hour')
      if (past < 7 * DAY) return relative.format(-Math.floor(past / DAY), 'day')
      return date(at)
    },
  }
}
