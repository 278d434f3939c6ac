import type { Rule, Span } from './span.ts'

const KIND = 'private key'
const MOST = 20_000

/** Key files: from the line that begins one to the line that ends it, or as far as its lines go. */
export const PRIVATE_KEYS: Rule[] = [
  { literal: 'private key-----', find: (text, _, to) => bodyOf(text, to) },
  { literal: 'private key block-----', find: (text, _, to) => bodyOf(text, to) },
  { literal: 'static key v1-----', find: (text, _, to) => bodyOf(text, to) },
  { literal: 'private-lines:', find: (text, _, to) => puttyLines(text, to) },
  { literal: 'ls0tls1crudjtib', find: (text, from) => encodedFile(text, from) },
]

function bodyOf(text: string, to: number): Span | undefined {
  const before = Math.max(0, to - 60)
  const begin = text.slice(before, to).lastIndexOf('-----BEGIN ')
  if (begin < 0) return undefined
  const end = /-----END (?:[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/.exec(
    text.slice(to, to + MOST),
  )
  return { from: before + begin, to: end ? to + end.index + end[0].length : endOfLines(text, to), kind: KIND }
}

/** How far the lines of a key go that has no end, with what a diff, a quotation or JSON puts around them. */
function endOfLines(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from < MOST) {
    const line = /[^\n\\]{0,400}(?:\\[rnt]|\n)?/y
    line.lastIndex = at
    const [found = ''] = line.exec(text) ?? []
    const inside = found.replace(/\\[rnt]$/, '').replace(/^[\s+>|"',-]+|[\s"',…]+$/g, '')
    const isPart =
      inside === '' || /^[A-Za-z0-9+/=]{4,}$/.test(inside) || /^[A-Z][A-Za-z-]{3,14}: /.test(inside)
    if (!isPart || found === '') break
    at += found.length
  }
  return at
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
