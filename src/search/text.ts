import type { SearchAnswer } from './answer.ts'
import { explained } from './explained.ts'
import type { Snippet } from './snippet.ts'

/** A search's answer for people: chats, and where in them the words stand. */
export function asText({
  results,
  topChatIds,
  totalFound,
  confidence,
  notes = [],
  guidance,
  ...understood
}: SearchAnswer): string {
  const about = [...explained(understood), ...notes]
  if (results.length === 0) return [`Nothing found. ${guidance.stopIf}`, ...about].join('\n')
  const lines = [`${totalFound} ${totalFound === 1 ? 'chat' : 'chats'} found, confidence ${confidence}.`]
  lines.push(...about)
  for (const [i, result] of results.entries()) {
    lines.push('', `${i + 1}. ${result.title.replace(/\s+/g, ' ')}`)
    lines.push(`   ${aboutOf(result, topChatIds[i]!).join(' · ')}`)
    for (const snippet of result.snippets)
      if (snippet.source !== 'title') lines.push(`   #${snippet.index} ${snippet.role}: ${marked(snippet)}`)
  }
  return lines.join('\n')
}

function aboutOf(
  { date, source, workspace, author, machine }: SearchAnswer['results'][number],
  chatId: string,
): string[] {
  const by = author && `by ${author} on ${machine}`
  return [date, source, workspace, by, chatId].flatMap((each) => each || [])
}

function marked({ text, marks }: Snippet): string {
  let result = ''
  let at = 0
  for (const [start, end] of marks) {
    result += `${text.slice(at, start)}**${text.slice(start, end)}**`
    at = end
  }
  return result + text.slice(at)
}
