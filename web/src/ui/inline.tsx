import type { ReactNode } from 'react'
import './inline.css'

export type Mark = [start: number, end: number, title?: string]

interface InlineProps {
  text: string
  /** What is to be marked: places in the text as it is written. */
  marks?: Mark[]
}

/** Part of a text that is read the same way, by its place in it. */
interface Piece {
  from: number
  to: number
  look: Look
}

type Look = '' | 'strong' | 'em' | 'code' | 'del'

/**
 * A line or two of Markdown where there is no room for more: emphasis and code look as they should, and
 * the signs are not shown. Whatever it is, it stays text: links lead nowhere.
 */
export function Inline({ text, marks = [] }: InlineProps) {
  return piecesIn(text, 0, text.length, '').map(({ from, to, look }) => {
    const inside = marked(text, from, to, marks)
    if (look === '') return <span key={from}>{inside}</span>
    const Tag = look
    return <Tag key={from}>{inside}</Tag>
  })
}

const SIGNS =
  /```[\w+-]*[ \n]([\s\S]*?)```|(`+)([^`]|[^`][\s\S]*?[^`])\2(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|(?<![\w*])[*_](?=[^\s*_])([^*_\n]*?[^\s*_])[*_](?![\w*])|~~(?=\S)([^\n]*?\S)~~|!?\[([^\]\n]+)\]\([^)\s]*\)|(?<=^|\s)#{1,6}(?=\s)|\*\*/g

const LOOKS: Look[] = ['code', '', 'code', 'strong', 'em', 'del', '']

/** `look` is what is around: code in bold text is code. */
function piecesIn(text: string, from: number, to: number, look: Look): Piece[] {
  const pieces: Piece[] = []
  const add = (start: number, end: number) => start < end && pieces.push({ from: start, to: end, look })
  let at = from
  for (const match of text.slice(from, to).matchAll(SIGNS)) {
    const start = from + match.index
    add(at, start)
    at = start + match[0].length
    const group = match.findIndex((each, number) => number > 0 && number !== 2 && each !== undefined)
    // A sign alone, as where a snippet begins within emphasis.
    if (group < 0) continue
    const inside = match[group] ?? ''
    const begins = start + match[0].indexOf(inside, group === 1 ? 3 : group === 3 ? match[2]!.length : 1)
    const own = LOOKS[group - 1] || look
    if (own === 'code') pieces.push({ from: begins, to: begins + inside.length, look: own })
    else pieces.push(...piecesIn(text, begins, begins + inside.length, own))
  }
  add(at, to)
  return pieces
}

function marked(text: string, from: number, to: number, marks: Mark[]): ReactNode[] {
  const parts: ReactNode[] = []
  let at = from
  for (const [start, end, title] of marks) {
    if (end <= at || start >= to) continue
    const begins = Math.max(start, at)
    if (begins > at) parts.push(text.slice(at, begins))
    at = Math.min(end, to)
    parts.push(
      <mark key={begins} title={title}>
        {text.slice(begins, at)}
      </mark>,
    )
  }
  if (at < to) parts.push(text.slice(at, to))
  return parts
}
