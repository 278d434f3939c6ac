import { unescapeContent } from './entry.ts'

/** Markdown as plain text: without its marks, its comments and our escapes. Code stays as it is. */
export function plainText(markdown: string): string {
  let fence = ''
  const lines: string[] = []
  for (const line of unescapeContent(markdown.replaceAll('\r\n', '\n')).split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? '' : mark
    else if (fence) lines.push(line)
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
