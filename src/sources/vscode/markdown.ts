import { object, string } from '../json.ts'
import { lastSegment } from './uri.ts'

/** The text of VS Code's "markdown or string", with names for links that have none: `[](file:///a/b.ts)`. */
export function markdown(value: unknown): string | undefined {
  const text = string(value) ?? string(object(value)?.value)
  if (!text?.includes('[](')) return text
  return text.replace(
    /\[\]\(([^)\s]+)\)/g,
    (_link, target: string) => `\`${lastSegment(withoutQuery(target))}\``,
  )
}

function withoutQuery(target: string): string {
  return decodedOr(target.replace(/[?#].*$/s, ''))
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
