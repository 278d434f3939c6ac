import type { SearchAnswer } from './answer.ts'

/** What was made of the words that were typed, a line each: corrections, translations, times. */
export function explained({
  tried = [],
  translated = [],
  timeFilter,
}: Pick<SearchAnswer, 'tried' | 'translated' | 'timeFilter'>): string[] {
  const lines = tried.map(
    ({ word, instead }) => `No results for "${word}"; searched for ${instead.join(', ')}.`,
  )
  if (translated.length > 0) {
    const words = translated
      .slice(0, MOST_TOLD)
      .map(({ word, as }) => `${word} → ${as.slice(0, 3).join(', ')}`)
    const more = translated.length > MOST_TOLD ? ' …' : ''
    lines.push(`Also searched in translation: ${words.join('; ')}${more}.`)
  }
  if (timeFilter?.lifted) lines.push(`No good match for "${timeFilter.words}"; showing any time.`)
  else if (timeFilter) lines.push(`Only ${stretchOf(timeFilter)} ("${timeFilter.words}").`)
  return lines
}

const MOST_TOLD = 8

export function stretchOf({ from, to }: { from?: number; to?: number }): string {
  if (from === undefined) return `until ${day(to!)}`
  if (to === undefined) return `since ${day(from)}`
  return day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`
}

export function day(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
