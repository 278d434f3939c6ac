/** The words in a JSON value: its strings and names, without quotes and escapes. */
export function wordsOfJson(value: unknown, most = 32_000): string {
  let text = ''
  const visit = (item: unknown, depth: number): void => {
    if (text.length >= most || depth > 16) return
    if (typeof item === 'string') text += `${item.slice(0, most - text.length)}\n`
    else if (typeof item === 'number') text += `${item}\n`
    else if (Array.isArray(item)) for (const each of item) visit(each, depth + 1)
    else if (item && typeof item === 'object') {
      for (const name in item) {
        text += `${name} `
        visit((item as Record<string, unknown>)[name], depth + 1)
      }
    }
  }
  visit(value, 0)
  return text
}
