import type { Day } from './days.ts'

const LONG = 200 * 86_400_000

/** What is written below the bars at these places; a month or a year is named once, and nothing where there is no bar. */
export function labelsOf(places: number[], days: Pick<Day, 'at'>[], language: string): string[] {
  const isLong = (days.at(-1)?.at ?? 0) - (days[0]?.at ?? 0) > LONG
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
  const short = format(isLong ? { month: 'short' } : { day: 'numeric', month: 'short' })
  const withYear = format({ month: 'short', year: 'numeric' })
  let [last, year] = ['', 0]
  return places.map((place) => {
    const day = Number.isInteger(place) ? days[place] : undefined
    if (!day) return ''
    const isNewYear = new Date(day.at).getFullYear() !== year
    const name = (isLong && isNewYear ? withYear : short).format(day.at)
    const isNew = short.format(day.at) !== last
    last = short.format(day.at)
    year = new Date(day.at).getFullYear()
    return isNew ? name : ''
  })
}
