import fs from 'node:fs'
import { RecollectError } from '../model/errors.ts'
import { thisMachine } from '../platform/machine.ts'

export { dateTime } from '../model/day.ts'

/** `3 min ago`, `2 days ago`. */
export function ago(at: number | undefined, now = Date.now()): string {
  if (at === undefined) return 'never'
  const seconds = Math.max(0, (now - at) / 1000)
  if (seconds < 10) return 'just now'
  if (seconds < 90) return `${Math.round(seconds)} s ago`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`
  return `${Math.round(seconds / 86_400)} days ago`
}

export function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  if (n < 1e6) return `${(n / 1e3).toFixed(0)} kB`
  if (n < 1e9) return `${(n / 1e6).toFixed(1)} MB`
  return `${(n / 1e9).toFixed(2)} GB`
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
}

/** A path with the home folder as `~`, by whichever name that has where it is behind a link. */
export function tilde(file: string, home = thisMachine().home): string {
  const within = [home, realHome(home)].find(
    (each) => file === each || file.startsWith(`${each}/`) || file.startsWith(`${each}\\`),
  )
  return within === undefined ? file : `~${file.slice(within.length)}`
}

const realHomes = new Map<string, string>()

function realHome(home: string): string {
  const known = realHomes.get(home)
  if (known !== undefined) return known
  let real = home
  try {
    real = fs.realpathSync(home)
  } catch {
    // There is no such folder.
  }
  realHomes.set(home, real)
  return real
}

/** A day or a span back from now, as the beginning of it (or, for `end`, the end of that day). */
export function moment(text: string | undefined, end = false): number | undefined {
  if (text === undefined) return undefined
  const span = /^(\d{1,5})\s*([hdwmy])$/.exec(text.trim())
  if (span) {
    const hours = { h: 1, d: 24, w: 168, m: 730, y: 8766 }[span[2] as 'h']
    return Date.now() - Number(span[1]) * hours * 3_600_000
  }
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim())
  if (day) {
    const date = new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
    // 2026-02-31 is no day: the calendar would quietly make March of it.
    if (date.getMonth() === Number(day[2]) - 1) {
      if (end) date.setHours(23, 59, 59, 999)
      return date.getTime()
    }
  }
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${text}" is not a date.`,
    'Write a day as 2026-05-01, or a span as 7d, 4w, 6m.',
  )
}

export function wholeNumber(text: string | undefined, name: string, least = 0): number | undefined {
  if (text === undefined) return undefined
  const n = Number(text)
  if (Number.isInteger(n) && n >= least) return n
  throw new RecollectError('INVALID_ARGUMENT', `--${name} takes a whole number from ${least}, not "${text}".`)
}

export function assertInOrder(from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `--from ${from} comes after --to ${to}.`,
      'Give the smaller one as --from.',
    )
}

/** What to say to who begins where nothing is left. */
export function pastEnd(from: number, all: number, what: string): RecollectError {
  return new RecollectError(
    'INVALID_ARGUMENT',
    `--from ${from} is past the end: the chat has ${count(all, what)}.`,
    'Give a smaller --from, or leave it out.',
  )
}
