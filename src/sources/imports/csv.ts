/** The rows of a CSV, fields in quotes with line breaks in them included. */
export function* csvRows(text: string): Generator<string[]> {
  let row: string[] = []
  let field = ''
  let at = 0
  while (at < text.length) {
    if (text[at] === '"' && field === '') {
      const { value, end } = quoted(text, at + 1)
      field = value
      at = end
      continue
    }
    const char = text[at++]!
    if (char === ',') {
      row.push(field)
      field = ''
    } else if (char === '\n') {
      yield [...row, field.replace(/\r$/, '')]
      row = []
      field = ''
    } else field += char
  }
  if (field !== '' || row.length > 0) yield [...row, field]
}

/** A field in quotes, in which a quote is written twice; one that never ends goes to the end. */
function quoted(text: string, from: number): { value: string; end: number } {
  const parts: string[] = []
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { value: parts.join('') + text.slice(at), end: text.length }
    parts.push(text.slice(at, quote))
    if (text[quote + 1] !== '"') return { value: parts.join(''), end: quote + 1 }
    parts.push('"')
    at = quote + 2
  }
}
