import { fenceAfter, headingIn, isRule, itemIn, piecesIn, quoteIn } from '../../model/markdown.ts'
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
    const before = fence
    fence = fenceAfter(line, before)
    if (before !== undefined && fence !== undefined)
      yield { line: [span(line, 'code')], first: '│ ', rest: '│ ' }
    else if (before === fence && (line.trim() !== '' || !blank)) yield block(line, tone)
    blank = fence === undefined && line.trim() === ''
  }
}

function block(line: string, tone: Tone): Paragraph {
  const heading = headingIn(line)
  if (heading) return { line: [span(heading.text.replaceAll('**', ''), 'strong')] }
  if (isRule(line)) return { line: [span('───', 'faint')] }
  const quote = quoteIn(line)
  if (quote !== undefined) return { line: inline(quote, 'faint'), first: '▏ ', rest: '▏ ' }
  const item = itemIn(line)
  if (item) {
    const first = `${item.indent.slice(0, 12)}${/\d/.test(item.mark) ? item.mark : '•'} `
    return { line: inline(item.text, tone), first, rest: ' '.repeat(first.length) }
  }
  return { line: inline(line, tone) }
}

/** Links stay as they are written: a terminal opens what it sees. */
function inline(text: string, tone: Tone): Line {
  return piecesIn(text).map(({ raw, as, text: meant }) => {
    if (as === 'code') return span(raw, 'code')
    return as === 'strong' ? span(meant, 'strong') : span(raw, tone)
  })
}
