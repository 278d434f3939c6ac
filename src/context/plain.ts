import { fenceAfter } from '../model/markdown.ts'
import { unescapeContent } from './entry.ts'

/** Markdown as plain text: without its marks, its comments and our escapes. Code stays as it is. */
export function plainText(markdown: string): string {
  let fence: string | undefined
  const lines: string[] = []
  for (const line of unescapeContent(markdown.replaceAll('\r\n', '\n')).split('\n')) {
    const before = fence
    fence = fenceAfter(line, before)
    if (fence !== before) continue
    if (fence) lines.push(line)
    else if (!/^<!--.*-->$/.test(line)) lines.push(plainLine(line))
  }
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

function plainLine(line: string): string {
  return line
    .replace(/^ {0,3}#{1,6} +/, '')
    .replace(/^( {0,3}> ?)+/, '')
    .replace(/!?\[([^\]\n]{0,500})\]\(([^()\s]{0,2000})\)/g, (_, text, url) =>
      text === url || !text ? url : `${text} (${url})`,
    )
    .replace(/(\*\*|__)(?=\S)(.{1,2000}?\S|\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]{1,2000}?\S|\S)\*(?![\w*])/g, '$1')
    .replace(/`([^`\n]{1,2000})`/g, '$1')
}
