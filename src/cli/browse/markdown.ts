import { type Line, span, type Tone } from './spans.ts'

/** Lines of a text that belong together, with what stands before the first of them and the others. */
export interface Paragraph {
  line: Line
  first?: string
  rest?: string
}

/** Markdown as people like to read it in a terminal. What is no Markdown comes through as it is. */
export function* markdown(text: string, tone: Tone = 'text'): Generator<Paragraph> {
  let fence: string | undefined
  let blank = true
  for (const line of text.split('\n')) {
    const [, marks, after = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined && marks) fence = marks
    else if (fence !== undefined && marks?.startsWith(fence) && after.trim() === '') fence = undefined
    else if (fence !== undefined) yield { line: [span(line, 'code')], first: '│ ', rest: '│ ' }
    else if (line.trim() !== '' || !blank) yield block(line, tone)
    blank = fence === undefined && line.trim() === ''
  }
}

function block(line: string, tone: Tone): Paragraph {
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(line)
  if (heading) return { line: [span(heading[1]!.replaceAll('**', ''), 'strong')] }
  if (/^ {0,3}([-*_])(?: ?\1){2,}\s*$/.test(line)) return { line: [span('───', 'faint')] }
  const quote = /^ {0,3}>\s?(.*)$/.exec(line)
  if (quote) return { line: inline(quote[1]!, 'faint'), first: '▏ ', rest: '▏ ' }
  const item = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)
  if (item) {
    const [, indent = '', mark = '', rest = ''] = item
    const first = `${indent.slice(0, 12)}${/\d/.test(mark) ? mark : '•'} `
    return { line: inline(rest, tone), first, rest: ' '.repeat(first.length) }
  }
  return { line: inline(line, tone) }
}

const INLINE = /(`[^`]+`)|\*\*([^*\s](?:[^*]*[^*\s])?)\*\*/g

function inline(text: string, tone: Tone): Line {
  const line: Line = []
  let at = 0
  for (const found of text.matchAll(INLINE)) {
    line.push(span(text.slice(at, found.index), tone))
    line.push(found[1] ? span(found[1], 'code') : span(found[2]!, 'strong'))
    at = found.index + found[0].length
  }
  line.push(span(text.slice(at), tone))
  return line.filter((each) => each.text !== '')
}
