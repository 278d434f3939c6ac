import {
  fenceAfter,
  headingIn,
  isRule,
  itemIn,
  languageIn,
  type Piece,
  piecesIn,
  quoteIn,
} from '../../../src/model/markdown.ts'
import { escaped } from '../../../src/recall/export/html.ts'

/**
 * What assistants write, as HTML that can do nothing: every character of the text is escaped, tags
 * are ours alone, links lead to web pages only, pictures are named and never loaded.
 */
export function markdown(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  let html = ''
  for (let at = 0; at < lines.length; ) {
    const block = BLOCKS.find(({ begins }) => begins(lines, at)) ?? PARAGRAPH
    const [shown, next] = block.read(lines, at)
    html += shown
    at = next
  }
  return html
}

/** What a person typed stays as it was typed; only code gets its box. */
export function plainText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  let html = ''
  let prose: string[] = []
  const flush = () => {
    const said = prose.join('\n').replace(/^\n+|\s+$/g, '')
    if (said) html += `<p>${escaped(said)}</p>`
    prose = []
  }
  for (let at = 0; at < lines.length; ) {
    if (FENCE.begins(lines, at)) {
      flush()
      const [shown, next] = FENCE.read(lines, at)
      html += shown
      at = next
    } else prose.push(lines[at++] ?? '')
  }
  flush()
  return html
}

interface Block {
  begins(lines: string[], at: number): boolean
  /** The block as HTML, and the line after it. */
  read(lines: string[], at: number): [html: string, next: number]
}

const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/

const FENCE: Block = {
  begins: (lines, at) => fenceAfter(lines[at] ?? '') !== undefined,
  read(lines, at) {
    const fence = fenceAfter(lines[at] ?? '')
    const language = languageIn(lines[at] ?? '')
    let end = at + 1
    while (end < lines.length && fenceAfter(lines[end] ?? '', fence)) end++
    const label = language ? `<span class="language">${escaped(language)}</span>` : ''
    const code = escaped(lines.slice(at + 1, end).join('\n'))
    return [`<pre tabindex="0">${label}<code>${code}</code></pre>`, end + 1]
  },
}

const BLOCKS: Block[] = [
  FENCE,
  {
    begins: (lines, at) => (lines[at] ?? '').trim() === '',
    read: (_, at) => ['', at + 1],
  },
  {
    begins: (lines, at) => headingIn(lines[at] ?? '') !== undefined,
    read(lines, at) {
      const heading = headingIn(lines[at] ?? '')!
      // The page and the message have headings of their own above these.
      const level = Math.min(6, heading.level + 2)
      return [`<h${level}>${inline(heading.text)}</h${level}>`, at + 1]
    },
  },
  {
    begins: (lines, at) => isRule(lines[at] ?? ''),
    read: (_, at) => ['<hr>', at + 1],
  },
  {
    begins: (lines, at) => quoteIn(lines[at] ?? '') !== undefined,
    read(lines, at) {
      const inner: string[] = []
      for (const line of lines.slice(at, at + 2_000)) {
        const quote = quoteIn(line)
        if (quote === undefined) break
        inner.push(quote)
      }
      return [`<blockquote><p>${inline(inner.join('\n'))}</p></blockquote>`, at + inner.length]
    },
  },
  {
    begins: (lines, at) => itemIn(lines[at] ?? '') !== undefined,
    read: readList,
  },
  {
    begins: (lines, at) => (lines[at] ?? '').includes('|') && TABLE_RULE.test(lines[at + 1] ?? ''),
    read: readTable,
  },
]

const PARAGRAPH: Block = {
  begins: () => true,
  read(lines, at) {
    let end = at + 1
    while (end < lines.length && !BLOCKS.some(({ begins }) => begins(lines, end))) end++
    return [`<p>${inline(lines.slice(at, end).join('\n'))}</p>`, end]
  },
}

/** Deeper lists than this are shown flat. */
const DEEPEST = 5

function readList(lines: string[], at: number): [string, number] {
  const open: { indent: number; tag: string }[] = []
  let html = ''
  let end = at
  for (; end < lines.length; end++) {
    const item = itemIn(lines[end] ?? '')
    if (!item) {
      // What is indented below an item belongs to it.
      if (!/^\s{2,}\S/.test(lines[end] ?? '') || FENCE.begins(lines, end)) break
      html += `<br>${inline((lines[end] ?? '').trim())}`
      continue
    }
    const indent = item.indent.length
    while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) html += `</li></${open.pop()?.tag}>`
    if (open.length === 0 || (indent > (open.at(-1)?.indent ?? 0) + 1 && open.length < DEEPEST)) {
      const tag = /\d/.test(item.mark) ? 'ol' : 'ul'
      open.push({ indent, tag })
      html += `<${tag}>`
    } else html += '</li>'
    html += `<li>${inline(item.text)}`
  }
  while (open.length > 0) html += `</li></${open.pop()?.tag}>`
  return [html, end]
}

function readTable(lines: string[], at: number): [string, number] {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
  let html = `<table><thead><tr>${cells(lines[at] ?? '')
    .map((cell) => `<th>${cell}</th>`)
    .join('')}</tr></thead><tbody>`
  let end = at + 2
  for (; end < lines.length && (lines[end] ?? '').includes('|'); end++) {
    html += `<tr>${cells(lines[end] ?? '')
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>`
  }
  return [`${html}</tbody></table>`, end]
}

function inline(text: string): string {
  return piecesIn(text).map(marked).join('')
}

function marked({ as, text, target = '' }: Piece): string {
  switch (as) {
    case 'text':
      return escaped(text)
    case 'code':
      return `<code>${escaped(text)}</code>`
    case 'picture':
      return `<span class="picture">[picture: ${escaped(text) || 'no name'}]</span>`
    case 'link':
      return link(target, text || nameOf(target))
    case 'strong':
      return `<strong>${inline(text)}</strong>`
    case 'emphasis':
      return `<em>${inline(text)}</em>`
    case 'struck':
      return `<s>${inline(text)}</s>`
  }
}

/** Only to web pages; what names a file is shown as such. */
function link(target: string, label: string): string {
  if (!/^https?:\/\//i.test(target)) return `<code title="${escaped(target)}">${escaped(label)}</code>`
  return `<a href="${escaped(target)}" title="${escaped(target)}">${escaped(label)}</a>`
}

/** VS Code writes links to files without a label. */
function nameOf(target: string): string {
  return (
    decoded(target.replace(/[?#].*$/, ''))
      .split(/[\\/]/)
      .findLast(Boolean) ?? target
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
