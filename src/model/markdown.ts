// Markdown as chats have it, read line by line: one grammar for terminal, extension, exports and context.md.

/** The fence that is open after a line, where `open` was open before it. */
export function fenceAfter(line: string, open?: string): string | undefined {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
  if (open !== undefined) return marks.startsWith(open) && rest.trim() === '' ? undefined : open
  const isCodeInLine = marks.startsWith('`') && rest.includes('`')
  return marks && !isCodeInLine ? marks : undefined
}

/** What the line that opens a fence says of the code in it. */
export function languageIn(line: string): string | undefined {
  return /^\s*([^\s`]+)/.exec(FENCE.exec(line)?.[2] ?? '')?.[1]
}

/** With an end to a fence that was left open, or it would swallow all that follows. */
export function closed(text: string): string {
  let fence: string | undefined
  for (const line of text.split('\n')) fence = fenceAfter(line, fence)
  return fence === undefined ? text : `${text}\n${fence}`
}

export function headingIn(line: string): { level: number; text: string } | undefined {
  const [, signs, rest = ''] = /^ {0,3}(#{1,6})\s+(\S[^\n]*)?$/.exec(line) ?? []
  if (!signs) return undefined
  // `## So ##` is written too.
  const text = rest.trimEnd()
  let end = text.length
  while (text[end - 1] === '#') end--
  const isSign = end === 0 || /\s/.test(text[end - 1] ?? '')
  return { level: signs.length, text: isSign ? text.slice(0, end).trimEnd() : text }
}

export function isRule(line: string): boolean {
  return /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)
}

export function quoteIn(line: string): string | undefined {
  return /^ {0,3}>\s?([^\n]*)$/.exec(line)?.[1]
}

/** Of a list: `-` or `2.`, and what follows. */
export function itemIn(line: string): { indent: string; mark: string; text: string } | undefined {
  const [, indent = '', mark, text = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+([^\n]*)$/.exec(line) ?? []
  return mark ? { indent, mark, text } : undefined
}

/** Part of a line or paragraph, as it is written and what is meant by it. */
export interface Piece {
  raw: string
  as: 'text' | 'code' | 'strong' | 'emphasis' | 'struck' | 'picture' | 'link'
  text: string
  /** Of a link. */
  target?: string
}

/** Within one line, so that a stray sign costs a line and not the page. */
const SIGNS =
  /(?<!`)(?<ticks>`{1,3})(?!`)(?<code>[^\n]{1,2000}?)(?<!`)\k<ticks>(?!`)|!\[(?<alt>[^\]\n]{0,500})\]\([^)\n]{0,2000}\)|\[(?<label>[^\]\n]{0,500})\]\((?<target>[^)\s]{1,2000})(?:\s+"[^"\n]{0,200}")?\)|\*\*(?<strong>[^\s*][^\n]{0,1000}?)\*\*|(?<![\w*])\*(?<emphasis>[^\s*][^\n*]{0,1000}?)\*(?!\w)|~~(?<struck>[^\n~]{1,500})~~|(?<url>https?:\/\/[^\s<>()`"']{1,2000}[^\s<>()`"'.,;:!?])/g
const LONGEST = 50_000

export function piecesIn(text: string): Piece[] {
  if (text.length > LONGEST) return [{ raw: text, as: 'text', text }]
  const pieces: Piece[] = []
  const plain = (raw: string) => raw && pieces.push({ raw, as: 'text', text: raw })
  let from = 0
  for (const match of text.matchAll(SIGNS)) {
    plain(text.slice(from, match.index))
    pieces.push({ raw: match[0], ...pieceOf(match.groups ?? {}) })
    from = match.index + match[0].length
  }
  plain(text.slice(from))
  return pieces
}

function pieceOf(found: Record<string, string | undefined>): Omit<Piece, 'raw'> {
  const { code, alt, label = '', target, strong, emphasis, struck, url = '' } = found
  if (code !== undefined) return { as: 'code', text: code }
  if (alt !== undefined) return { as: 'picture', text: alt }
  if (target !== undefined) return { as: 'link', text: label, target }
  if (strong !== undefined) return { as: 'strong', text: strong }
  if (emphasis !== undefined) return { as: 'emphasis', text: emphasis }
  return struck === undefined ? { as: 'link', text: url, target: url } : { as: 'struck', text: struck }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
