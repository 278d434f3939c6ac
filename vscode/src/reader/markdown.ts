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

const FENCED = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/
const HEADING = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/
const QUOTE = /^\s{0,3}>\s?(.*)$/
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/

const FENCE: Block = {
  begins: (lines, at) => FENCED.test(lines[at] ?? ''),
  read(lines, at) {
    const [, fence = '', language = ''] = FENCED.exec(lines[at] ?? '') ?? []
    const isEnd = (line: string) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())
    let end = at + 1
    while (end < lines.length && !isEnd(lines[end] ?? '')) end++
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
    begins: (lines, at) => HEADING.test(lines[at] ?? ''),
    read(lines, at) {
      const [, signs = '#', title = ''] = HEADING.exec(lines[at] ?? '') ?? []
      // The page and the message have headings of their own above these.
      const level = Math.min(6, signs.length + 2)
      return [`<h${level}>${inline(title)}</h${level}>`, at + 1]
    },
  },
  {
    begins: (lines, at) => RULE.test(lines[at] ?? ''),
    read: (_, at) => ['<hr>', at + 1],
  },
  {
    begins: (lines, at) => QUOTE.test(lines[at] ?? ''),
    read(lines, at) {
      const inner: string[] = []
      let end = at
      for (; QUOTE.test(lines[end] ?? '') && inner.length < 2_000; end++)
        inner.push(QUOTE.exec(lines[end] ?? '')?.[1] ?? '')
      return [`<blockquote><p>${inline(inner.join('\n'))}</p></blockquote>`, end]
    },
  },
  {
    begins: (lines, at) => ITEM.test(lines[at] ?? ''),
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
    const [, space = '', bullet, , text = ''] = ITEM.exec(lines[end] ?? '') ?? []
    if (!bullet && !ITEM.test(lines[end] ?? '')) {
      // What is indented below an item belongs to it.
      if (!/^\s{2,}\S/.test(lines[end] ?? '') || FENCE.begins(lines, end)) break
      html += `<br>${inline((lines[end] ?? '').trim())}`
      continue
    }
    const indent = space.length
    while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) html += `</li></${open.pop()?.tag}>`
    if (open.length === 0 || (indent > (open.at(-1)?.indent ?? 0) + 1 && open.length < DEEPEST)) {
      const tag = bullet ? 'ul' : 'ol'
      open.push({ indent, tag })
      html += `<${tag}>`
    } else html += '</li>'
    html += `<li>${inline(text)}`
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

/** Within one line, so that a stray sign costs a line and not the page. */
const INLINE =
  /(?<ticks>`{1,3})(?<code>[^\n]{1,2000}?)\k<ticks>(?!`)|!\[(?<alt>[^\]\n]{0,500})\]\([^)\n]{0,2000}\)|\[(?<label>[^\]\n]{0,500})\]\((?<target>[^)\s]{1,2000})(?:\s+"[^"\n]{0,200}")?\)|\*\*(?<strong>[^\s*][^\n]{0,1000}?)\*\*|(?<![\w*])\*(?<em>[^\s*][^\n*]{0,1000}?)\*(?!\w)|~~(?<gone>[^\n~]{1,500})~~|(?<url>https?:\/\/[^\s<>()`"']{1,2000}[^\s<>()`"'.,;:!?])/g
const LONGEST = 50_000

function inline(text: string): string {
  if (text.length > LONGEST) return escaped(text)
  let html = ''
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    html += escaped(text.slice(from, match.index)) + marked(match.groups ?? {})
    from = match.index + match[0].length
  }
  return html + escaped(text.slice(from))
}

function marked(found: Record<string, string | undefined>): string {
  const { code, alt, label, target, strong, em, gone, url } = found
  if (code !== undefined) return `<code>${escaped(code)}</code>`
  if (alt !== undefined) return `<span class="picture">[picture: ${escaped(alt) || 'no name'}]</span>`
  if (target !== undefined) return link(target, label || nameOf(target))
  if (strong !== undefined) return `<strong>${inline(strong)}</strong>`
  if (em !== undefined) return `<em>${inline(em)}</em>`
  return gone === undefined ? link(url ?? '', url ?? '') : `<s>${inline(gone)}</s>`
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
