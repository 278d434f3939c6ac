import type { Answers } from '../capabilities/index.ts'
import { explained } from '../search/explained.ts'
import { dateTime, tilde } from './format.ts'
import { fit, oneLine, paint, type Stream } from './paint.ts'

type SearchAnswer = Answers['search_conversations']
type ChatResult = SearchAnswer['results'][number]
type Snippet = ChatResult['snippets'][number]

/** Search results for a person: a chat, then where in it the words stand. */
export function results(
  answer: SearchAnswer,
  { numbered = false, stream = process.stdout as Stream } = {},
): string {
  const { bold, dim, cyan } = paint(stream)
  const columns = stream.isTTY ? (stream.columns ?? 100) : 100
  const blocks = answer.results.map((result, i) => {
    const lead = numbered ? `${String(i + 1).padStart(2)}  ` : ''
    const indent = ' '.repeat(lead.length)
    const facts = [
      result.updatedAt === undefined ? result.date : dateTime(result.updatedAt),
      result.source,
      result.workspace && tilde(result.workspace),
      result.author && `by ${oneLine(result.author)} on ${oneLine(result.machine ?? '?')}`,
      cyan(shortId(result)),
    ]
    return [
      bold(lead + fit(oneLine(result.title), columns - lead.length)),
      indent + dim(facts.filter(Boolean).join(' · ')),
      ...result.snippets
        .filter((snippet) => snippet.source !== 'title')
        .map((snippet) => indent + snippetLine(snippet, stream)),
    ].join('\n')
  })
  const more = answer.totalFound - answer.results.length
  const last = more > 0 ? [dim(`… and ${more} more; --limit shows them.`)] : []
  const about = explained(answer).map((line) => dim(oneLine(line)))
  const notes = noteLines(answer.notes, stream)
  return [...(about.length > 0 ? [about.join('\n')] : []), ...blocks, ...last, ...notes].join('\n\n')
}

/** What was taken for what, below the answer. */
export function noteLines(notes: string[] = [], stream: Stream = process.stdout): string[] {
  return notes.map((note) => paint(stream).dim(oneLine(note)))
}

/** Enough of an id to name the chat. */
export function shortId({ chatId }: Pick<ChatResult, 'chatId'>): string {
  return /^[0-9a-f]{8}-/.test(chatId) ? chatId.slice(0, 8) : chatId
}

function snippetLine({ text, marks, role, index, source }: Snippet, stream: Stream): string {
  const { dim, mark } = paint(stream)
  let shown = ''
  let at = 0
  for (const [start, end] of marks) {
    shown += clean(text.slice(at, start)) + mark(clean(text.slice(start, end)))
    at = end
  }
  shown += clean(text.slice(at))
  const who = source === 'tool' ? 'tool' : role
  return `${dim(`#${index} ${who}:`)} ${shown}`
}

function clean(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
}
