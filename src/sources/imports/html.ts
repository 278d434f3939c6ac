const TAG = /<[^<>]{0,2000}>/g
const BREAK = /<(?:br|\/p|\/div|\/h\d|\/li|\/pre|\/tr|p|h\d|ul|ol)\b[^<>]{0,2000}>/gi

/** What a piece of HTML says, as plain text. */
export function textOfHtml(html: string): string {
  const lines = withoutElements(withoutElements(html, 'script'), 'style')
    .replaceAll('\n', ' ')
    .replace(/<li\b[^<>]{0,2000}>/gi, '\n- ')
    .replace(BREAK, '\n')
    .replace(TAG, '')
    .split('\n')
  return decoded(lines.map((line) => line.trim()).join('\n'))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  emsp: ' ',
  ensp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

export function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** A text without the elements of a name, and what was in each; one that is not closed stays. */
export function withoutElements(
  text: string,
  name: string,
  take: (inside: string, opening: string) => void = () => {},
): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const open = text.indexOf(`<${name}`, from)
    const begin = open < 0 ? -1 : text.indexOf('>', open) + 1
    const end = begin > 0 ? text.indexOf(`</${name}>`, begin) : -1
    if (end < 0) break
    kept.push(text.slice(from, open))
    take(text.slice(begin, end), text.slice(open, Math.min(begin, open + 1000)))
    from = end + name.length + 3
  }
  return kept.join('') + text.slice(from)
}
