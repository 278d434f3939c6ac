import type { ArchivedChat, ArchivedMessage } from '../archive/archive.ts'
import { type QueryWord, wordsOfJson } from '../model/words.ts'

export interface Snippet {
  messageId: string
  index: number
  role: string
  type: string
  createdAt?: number
  text: string
  source: 'content' | 'title' | 'tool'
  /** Where in `text` the words stand: start and end of each. */
  marks: [start: number, end: number][]
}

/** The part of a message where most of the words stand close together. */
export function snippetOf(message: ArchivedMessage, words: QueryWord[], window: number): Snippet {
  const fields: [Snippet['source'], string][] = [
    ['content', message.text],
    ['tool', toolText(message)],
    ['content', message.thinking ?? ''],
  ]
  const found = fields.map(([source, text]) => ({ source, text, hits: hitsIn(text, words) }))
  const best = found.reduce((a, b) => (distinct(b.hits) > distinct(a.hits) ? b : a))
  return {
    messageId: message.id,
    index: message.index,
    role: message.role,
    type: message.kind,
    createdAt: message.createdAt,
    source: best.source,
    ...cut(best.text, best.hits, window),
  }
}

export function titleSnippet(chat: ArchivedChat): Snippet {
  return {
    messageId: '',
    index: 0,
    role: 'user',
    type: 'title',
    text: chat.title,
    source: 'title',
    marks: [],
  }
}

interface Hit {
  start: number
  end: number
  word: string
}

const MOST_HITS = 200

function hitsIn(text: string, words: QueryWord[]): Hit[] {
  if (text === '' || words.length === 0) return []
  const folded = text.toLowerCase()
  // A few characters change their length in lower case; then positions would be off.
  const searched = folded.length === text.length ? folded.replaceAll('ё', 'е') : text
  const hits: Hit[] = []
  for (const { word } of words) {
    for (
      let at = searched.indexOf(word);
      at >= 0 && hits.length < MOST_HITS;
      at = searched.indexOf(word, at + word.length)
    ) {
      hits.push({ start: at, end: at + word.length, word })
    }
  }
  return hits.sort((a, b) => a.start - b.start)
}

function distinct(hits: Hit[]): number {
  return new Set(hits.map((hit) => hit.word)).size
}

function cut(text: string, hits: Hit[], window: number): Pick<Snippet, 'text' | 'marks'> {
  const width = window * 2
  let best = { start: 0, words: 0 }
  for (const [i, first] of hits.entries()) {
    const within = hits.slice(i).filter((hit) => hit.end <= first.start + width)
    const count = distinct(within)
    if (count > best.words) best = { start: first.start, words: count }
  }
  const from = wordEdge(text, Math.max(0, best.start - Math.floor(window / 2)), -1)
  const to = wordEdge(text, Math.min(text.length, best.start + width), 1)
  const shown = text.slice(from, to)
  const marks = hits
    .filter((hit) => hit.start >= from && hit.end <= to)
    .map((hit): [number, number] => [hit.start - from, hit.end - from])
  const lead = from > 0 ? '…' : ''
  return {
    text: lead + shown.replace(/\s/g, ' ') + (to < text.length ? '…' : ''),
    marks: merged(marks.map(([start, end]) => [start + lead.length, end + lead.length])),
  }
}

/** The nearest place, in this direction, where no word or character is cut; at most 24 characters away. */
function wordEdge(text: string, at: number, direction: 1 | -1): number {
  const inside = (place: number) =>
    place > 0 && place < text.length && /[\p{L}\p{N}\p{M}]{2}/u.test(text.slice(place - 1, place + 1))
  let place = at
  for (let step = 0; step < 24 && inside(place); step++) place += direction
  // Never between the two halves of one character.
  return place > 0 && place < text.length && /[\udc00-\udfff]/.test(text[place]!) ? place + direction : place
}

function merged(marks: [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of marks) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

function toolText({ toolCalls = [], toolResults = [] }: ArchivedMessage): string {
  const calls = toolCalls.map((call) => `${call.tool} ${wordsOfJson(call.args)}`)
  const results = toolResults.map((each) => each.text ?? each.error ?? wordsOfJson(each.json))
  return [...calls, ...results].join('\n')
}
