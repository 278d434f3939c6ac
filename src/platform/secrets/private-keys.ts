import { beginsAt, isWordCode, runAround } from './edges.ts'
import type { Rule, Span } from './span.ts'

const KIND = 'private key'
const MOST = 20_000

/** How what is in key files begins in base64, and what is before that. */
const HEADS = [
  { literal: 'IBADANBgkqhkiG9w0BAQEFAASC', before: /MII[A-Za-z0-9+/]{3}$/ },
  { literal: 'IBAAKB', before: /MII[A-Za-z0-9+/]{3}$/ },
  { literal: 'IBAAKC', before: /MII[A-Za-z0-9+/]{3}$/ },
  { literal: 'AgEAMBMGByqGSM49', before: /M[GHI][A-Za-z0-9+/]{2}$/ },
  { literal: 'AgEAMBAGByqGSM49', before: /M[GHI][A-Za-z0-9+/]{2}$/ },
  { literal: 'MHcCAQEEI', before: /^/ },
  { literal: 'MIGkAgEBBD', before: /^/ },
  { literal: 'MIHcAgEBBEI', before: /^/ },
  { literal: 'MC4CAQAwBQYDK2VwBCIEI', before: /^/ },
  { literal: 'b3BlbnNzaC1rZXktdjE', before: /^/ },
]

/** Key files: from the line that begins one to the line that ends it, or as far as its lines go. */
export const PRIVATE_KEYS: Rule[] = [
  { literal: 'private key-----', find: (text, _, to) => bodyOf(text, to) ?? endOfBody(text, to) },
  { literal: 'private key block-----', find: (text, _, to) => bodyOf(text, to) ?? endOfBody(text, to) },
  { literal: 'static key v1-----', find: (text, _, to) => bodyOf(text, to) },
  { literal: 'private-lines:', find: (text, _, to) => puttyLines(text, to) },
  { literal: 'ls0tls1crudjtib', find: (text, from) => encodedFile(text, from) },
  ...HEADS.map(({ literal, before }) => ({
    literal,
    find: (text: string, from: number) => bareBody(text, from, before),
  })),
]

function bodyOf(text: string, to: number): Span | undefined {
  const before = Math.max(0, to - 60)
  const begin = text.slice(before, to).lastIndexOf('-----BEGIN ')
  if (begin < 0) return undefined
  const rest = text.slice(to, to + MOST)
  const found = /-----END (?:[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/.exec(rest)
  const isNext = found !== null && !rest.slice(0, found.index).includes('-----BEGIN ')
  const body = isNext ? to + found.index : endOfLines(text, to)
  // In a sentence about such files nothing is between the two.
  if (!/[A-Za-z0-9+/]{16}/.test(text.slice(to, body))) return undefined
  return { from: before + begin, to: isNext ? body + found[0].length : body, kind: KIND }
}

/** How far the lines of a key go that has no end, with what a diff, a quotation or JSON puts around them. */
function endOfLines(text: string, from: number): number {
  let at = from
  let end = from
  while (at < text.length && at - from < MOST) {
    const line = /[^\n\\]{0,400}(?:\\[rnt]|\n)?/y
    line.lastIndex = at
    const [found = ''] = line.exec(text) ?? []
    const inside = insideOf(found)
    if (found === '' || !(isBody(inside) || /^[A-Z][A-Za-z-]{3,14}: /.test(inside))) break
    at += found.length
    if (inside !== '') end = at - (/(?:\\[rnt]|\r?\n)?$/.exec(found)?.[0].length ?? 0)
  }
  return end
}

/** A line without what a diff, a quotation, a comment, JSON, or numbers of lines put around it. */
function insideOf(line: string): string {
  return line
    .replace(/\\[rnt]$/, '')
    .replace(/^\s{0,8}\d{1,6}(?:→|\t|:|\s?[|│])\s?/, '')
    .replace(/^(?:[\s+>|│"',#*;-]|\/\/\s)+|[\s"',…]+$/g, '')
}

function isBody(inside: string): boolean {
  return inside === '' || (/^[A-Za-z0-9+/=]{4,}$/.test(inside) && !/^[A-Za-z]?[a-z]{3,20}$/.test(inside))
}

const LEAST_OF_A_LINE = 32

/** The lines before the one that ends a key, where its beginning was cut off. */
function endOfBody(text: string, to: number): Span | undefined {
  const start = Math.max(0, to - 60)
  const end = text.slice(start, to).lastIndexOf('-----END ')
  if (end < 0) return undefined
  let from = start + end
  let longest = 0
  for (const line of text
    .slice(Math.max(0, from - MOST), from)
    .split(/(?<=\n|\\[rn])/)
    .toReversed()) {
    const inside = insideOf(line)
    if (!isBody(inside)) break
    from -= line.length
    longest = Math.max(longest, inside.length)
  }
  return longest < LEAST_OF_A_LINE ? undefined : { from, to, kind: KIND }
}

/** A key without the lines that begin and end it, as settings and variables have it. */
function bareBody(text: string, at: number, before: RegExp): Span | undefined {
  const lead = before.exec(text.slice(Math.max(0, at - 6), at))
  const from = at - (lead?.[0].length ?? 0)
  if (!lead || !beginsAt(text, from)) return undefined
  const { to } = runAround(text, from, isBase64, MOST)
  if (to - from < LEAST_OF_A_LINE) return undefined
  return { from, to: Math.max(to, endOfLines(text, from)), kind: KIND }
}

/** Letters, digits and `+/=`. */
function isBase64(code: number): boolean {
  return (isWordCode(code) && code !== 95) || code === 43 || code === 47 || code === 61
}

function puttyLines(text: string, to: number): Span | undefined {
  const lines = /^\s{0,3}\d{1,4}\r?\n((?:[A-Za-z0-9+/=]{4,200}\r?\n?){1,400})/.exec(text.slice(to, to + MOST))
  if (!lines?.[1]) return undefined
  const from = to + lines[0].indexOf(lines[1])
  return { from, to: from + lines[1].trimEnd().length, kind: KIND }
}

/** The beginning of a key file in base64, as kubeconfig has it; certificates begin alike. */
function encodedFile(text: string, from: number): Span | undefined {
  const [found] = /^[A-Za-z0-9+/=]{60,20000}/.exec(text.slice(from, from + MOST)) ?? []
  if (!found) return undefined
  const head = Buffer.from(found.slice(0, 80), 'base64').toString('latin1')
  return /^-----BEGIN [A-Z ]*PRIVATE/.test(head) ? { from, to: from + found.length, kind: KIND } : undefined
}
