import { ANNOUNCED, FILLER_PHRASES, FILLER_WORDS, GREETING, LEAD_INS } from './title-words.ts'

/** So much of a request is looked at for a title: beyond lies what was pasted. */
const MOST_CHARACTERS = 20_000
const MOST_LINES = 80

/** Of so many first requests of a chat the most telling one names it. */
export const NAMING_REQUESTS = 5

/** How much a line tells of what a chat is about: nothing, a little (a log, code, a path), enough. */
export type Telling = 0 | 1 | 2

/**
 * The line of a request that best names what it is about: the first that tells something. "Hi",
 * "Continue", "Implement the following plan:", tags and pasted logs give way to what follows; where
 * nothing does, it is the first line.
 */
export function titleLine(text: string): string {
  let best = ''
  let bestTells: Telling | -1 = -1
  for (const raw of candidateLines(beginningOf(text))) {
    const line = cleaned(raw)
    if (line === '') continue
    const telling = tells(line)
    if (telling > bestTells) {
      best = line
      bestTells = telling
    }
    if (telling === 2) break
  }
  return best || firstLine(text)
}

/** How much one line tells. The same for a line that was kept as a title as for the line it was made of. */
export function tells(line: string): Telling {
  const words = plainWords(line)
  if (words === '') return 0
  // A name of one letter is still a name.
  if (words === 'a' || words === 'i') return 1
  if (words.split(' ').every((word) => FILLER_WORDS.has(word)) || FILLER_PHRASES.test(words)) return 0
  if (LEAD_INS.some((pattern) => pattern.test(words))) return 0
  return WEAK.some((pattern) => pattern.test(line)) ? 1 : 2
}

/** The request that names a chat, of its first few in their order; undefined where there is none. */
export function namingRequest(requests: string[]): string | undefined {
  let best: string | undefined
  for (const request of requests.slice(0, NAMING_REQUESTS).map(titleLine))
    if (best === undefined || tells(request) > tells(best)) best = request
  return best
}

/** What a person pastes rather than writes: logs, stacks, code, data, a bare address or path. */
const WEAK = [
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d?:\d\d:\d\d/,
  /^\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b\]?[\s:]/,
  /^(?:npm (?:ERR!|error|warn)|error TS\d+|warning:|error:|error\[E\d+\]|fatal:|E:|W:)/i,
  /^(?:Traceback \(|File "|at \S+ ?\(|at \S+:\d+:\d+|Caused by:|Exception in thread|panic:|goroutine \d)/,
  /^(?:[\w.$]+)?(?:Error|Exception|Warning)\b[:(]/,
  /^(?:[$%❯➜>]\s|PS [A-Z]:\\|[\w.-]+@[\w.-]+[:~])/,
  /^(?:diff --git|index [\da-f]{7}|@@ |\+\+\+ |--- [ab/])/,
  /^[\s{}[\]()<>"';,|+]+(?:$|["'\w].*[{[:,]\s*$)/,
  /^[{[<"].*[}\]>",]$/,
  /^(?:import|from|const|let|var|function|def|class|package|public|private|return|export|using|#include|SELECT|INSERT|UPDATE)\b.*[;{(=}]/,
  /[;{}]$/,
  /^(?:https?|file):\/\/\S+$/,
  /^@?(?:~|\.{1,2}|[A-Z]:)?[/\\][^\s]+$/,
  /^(?:total \d+$|[d-][rwx-]{9})/,
  /^you are (?:a|an|the|my|now)\b/i,
]

/** The lines outside of code blocks and of what a tool put there; inside only where there is nothing else. */
function* candidateLines(text: string): Generator<string> {
  const fenced: string[] = []
  let fence: string | undefined
  let count = 0
  for (const line of withoutInjected(text).split(/\r\n|\n|\r/)) {
    if (++count > MOST_LINES) break
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      else fenced.push(line)
    } else if (mark) fence = mark
    else yield line
  }
  yield* fenced
}

const INJECTED =
  /<((?:command|local-command|system|bash)[-_][\w-]+|environment_(?:context|details)|ide_\w+|user_info|open_files)\b[^>]*>[\s\S]*?<\/\1>/g

function withoutInjected(text: string): string {
  return text.includes('<') ? text.replace(INJECTED, '\n') : text
}

/** Without marks of Markdown, tags, placeholders of pasted things, and a greeting before the matter. */
function cleaned(raw: string): string {
  let line = raw.trim()
  line = line.replace(/\[(?:Image|Pasted text|Attachment|Изображение)[^\]]{0,60}\]/g, ' ').trim()
  if (/^<\/?[a-z][\w:-]*(?:\s[^>]*)?>/i.test(line))
    line = line.replace(/<\/?[a-z][\w:-]*(?:\s[^>]*)?>/gi, ' ').trim()
  line = line.replace(/^(?:#{1,6}\s+|>\s+)+/, '').trim()
  line = line.replace(/^(\*\*|__)(.+)\1:?$/, '$2').trim()
  for (const opening of [GREETING, ANNOUNCED]) {
    const rest = line.replace(opening, '')
    if (rest !== line && tells(rest) === 2) line = rest
  }
  return line
}

/** In lower case, with one space between words and no punctuation: `Here's the plan:` is `heres the plan`. */
function plainWords(line: string): string {
  return line
    .slice(0, 300)
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Ends with a whole line, or at least a whole word: half a secret could not be told from any other word. */
function beginningOf(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const head = text.slice(0, MOST_CHARACTERS)
  const end = Math.max(head.lastIndexOf('\n'), 0) || Math.max(head.search(/\s\S*$/), 0)
  return head.slice(0, end || MOST_CHARACTERS)
}

function firstLine(text: string): string {
  return (
    beginningOf(text)
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}
