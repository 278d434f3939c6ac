import { dayOf } from '../model/day.ts'
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
  if (from === undefined) return `until ${dayOf(to!)}`
  if (to === undefined) return `since ${dayOf(from)}`
  return dayOf(from) === dayOf(to) ? dayOf(from) : `${dayOf(from)} to ${dayOf(to)}`
}
