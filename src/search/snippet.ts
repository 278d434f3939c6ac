import type { ArchivedChat, ArchivedMessage, SaidMessage } from '../archive/archive.ts'
import type { Lexicon } from '../archive/lexicon.ts'
import { type Clean, firstPart } from '../model/clean.ts'
import { isWordCharacter, scan } from '../model/scan.ts'
import { termsOfRun } from '../model/terms.ts'
import { toolsOf, toolText } from '../model/tool-text.ts'
import { seenWords } from './seen-words.ts'

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
  /** How good the message is beside the best one found, 0..1. */
  relevance: number
}

/** Takes out what must not leave. */
export type { Clean } from '../model/clean.ts'

/** Says which terms a text is marked with. */
export type Marker = (text: string) => Hit[]

interface Hit {
  start: number
  end: number
  term: string
}

const LOOKED_AT = 200_000
const MOST_HITS = 400

export function marker(terms: Iterable<string>, prefixes: string[] = []): Marker {
  const wanted = new Set(terms)
  const beginnings = prefixes.map((prefix) => ({ prefix, bytes: Buffer.from(prefix) }))
  return (text) => {
    const hits: Hit[] = []
    const words = seenWords()
    const numbers = new Map(Array.from(wanted, (term) => [words.number(term), term]))
    scan(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text, {
      word(start, end) {
        if (hits.length >= MOST_HITS) return
        const count = words.readWord(text, start, end)
        const term =
          wantedOf(words, count, numbers) ??
          (count > 0 && beginnings.length > 0 ? beginningOf(words, words.found[0]!, beginnings) : undefined)
        if (term !== undefined) hits.push({ start, end, term })
      },
      run(start, end) {
        if (hits.length < MOST_HITS) hits.push(...hitsInRun(text, start, end, wanted))
      },
    })
    return hits
  }
}

/** The first term of the word read last that is wanted. */
function wantedOf({ found }: Lexicon, count: number, wanted: Map<number, string>): string | undefined {
  for (let i = 0; i < count; i++) {
    const term = wanted.get(found[i]!)
    if (term !== undefined) return term
  }
  return undefined
}

/** The first of these that a term begins with. */
function beginningOf(
  { letters, starts }: Lexicon,
  term: number,
  beginnings: { prefix: string; bytes: Buffer }[],
): string | undefined {
  const start = starts[term]!
  const length = starts[term + 1]! - start
  for (const { prefix, bytes } of beginnings) {
    let same = 0
    while (same < bytes.length && same < length && letters[start + same] === bytes[same]) same++
    if (same === bytes.length) return prefix
  }
  return undefined
}

/** Characters that stand for themselves in the query are marked only where no pair is. */
function hitsInRun(text: string, start: number, end: number, wanted: Set<string>): Hit[] {
  const hits: Hit[] = []
  const singles: Hit[] = []
  let before = -1
  for (let i = start; i < end; ) {
    const next = i + (text.codePointAt(i)! > 0xffff ? 2 : 1)
    const { characters } = termsOfRun(text.slice(i, next))
    if (characters[0] && wanted.has(characters[0])) singles.push({ start: i, end: next, term: characters[0] })
    if (before >= 0) {
      const pair = termsOfRun(text.slice(before, next)).pairs[0]
      if (pair && wanted.has(pair)) hits.push({ start: before, end: next, term: pair })
    }
    before = i
    i = next
  }
  return hits.length > 0 ? hits : singles
}

/** The part of a message where most of the words stand close together. */
export function snippetOf(
  message: SaidMessage,
  /** The whole message, read only where the words are not in what was said. */
  whole: () => ArchivedMessage,
  { mark, clean }: { mark: Marker; clean: Clean },
  window: number,
  relevance: number,
  withTools: boolean,
): Snippet {
  const about = {
    messageId: message.id,
    index: message.index,
    role: message.role,
    type: message.kind,
    createdAt: message.createdAt,
    relevance,
  }
  const shownIn = (text: string, hits: Hit[]) => {
    // Before anything is cut: half of a secret would not be known.
    const cleaned = clean(firstPart(text, LOOKED_AT))
    return cut(cleaned, cleaned === text ? hits : mark(cleaned), window)
  }
  const hits = mark(message.text)
  if (hits.length > 0) return { ...about, source: 'content', ...shownIn(message.text, hits) }
  const all = whole()
  // And before it is made a text, in which no name says any more what is a secret.
  const tools = withTools ? toolText(clean(toolsOf(all))) : ''
  const inTools = mark(tools)
  if (inTools.length > 0) return { ...about, source: 'tool', ...cut(tools, inTools, window) }
  const thought = all.thinking ?? ''
  const inThought = mark(thought)
  const shown = inThought.length > 0 ? thought : message.text || thought
  return { ...about, source: 'content', ...shownIn(shown, inThought) }
}

export function titleSnippet(chat: ArchivedChat, mark: Marker): Snippet {
  return {
    messageId: '',
    index: 0,
    role: 'user',
    type: 'title',
    text: chat.title,
    source: 'title',
    marks: merged(mark(chat.title).map(({ start, end }) => [start, end])),
    relevance: 1,
  }
}

/** The densest window, out of a text without secrets. */
function cut(text: string, hits: Hit[], window: number): Pick<Snippet, 'text' | 'marks'> {
  return cutOut(text, hits, densest(text, hits, window))
}

/** The window with the most different words, then the most words. */
function densest(text: string, hits: Hit[], window: number): { from: number; to: number } {
  const width = window * 2
  let best = { start: 0, end: 0, worth: 0 }
  let last = 0
  const inWindow = new Map<string, number>()
  for (const [i, first] of hits.entries()) {
    while (last < hits.length && (hits[last]!.end <= first.start + width || hits[last] === first)) {
      inWindow.set(hits[last]!.term, (inWindow.get(hits[last]!.term) ?? 0) + 1)
      last++
    }
    const worth = inWindow.size * 1000 + (last - i)
    if (worth > best.worth) best = { start: first.start, end: hits[last - 1]!.end, worth }
    const left = inWindow.get(first.term)! - 1
    if (left === 0) inWindow.delete(first.term)
    else inWindow.set(first.term, left)
  }
  const spare = Math.max(0, width - (best.end - best.start))
  const from = wordEdge(text, Math.max(0, best.start - Math.floor(spare / 2)), -1)
  const to = wordEdge(text, Math.min(text.length, Math.max(best.end, from + width)), 1)
  return { from, to }
}

function cutOut(
  text: string,
  hits: Hit[],
  { from, to }: { from: number; to: number },
): Pick<Snippet, 'text' | 'marks'> {
  const lead = from > 0 ? '…' : ''
  const shift = lead.length - from
  const marks = hits
    .filter((hit) => hit.start >= from && hit.end <= to)
    .map((hit): [number, number] => [hit.start + shift, hit.end + shift])
  return {
    text: lead + text.slice(from, to).replace(/\s/g, ' ') + (to < text.length ? '…' : ''),
    marks: merged(marks),
  }
}

const EDGE_WITHIN = 24

/** The nearest place, in this direction, where no word or character is cut; not too far away. */
function wordEdge(text: string, at: number, direction: 1 | -1): number {
  const inside = (place: number) =>
    place > 0 && place < text.length && isWordCharacter(text, place - 1) && isWordCharacter(text, place)
  let place = at
  for (let step = 0; step < EDGE_WITHIN && inside(place); step++) place += direction
  while (place > 0 && place < text.length && isWithinCharacter(text, place)) place += direction
  return place
}

/** Between the halves of one character, or before something that belongs to the character before it. */
function isWithinCharacter(text: string, place: number): boolean {
  if (text[place - 1] === '\u200d') return true
  // Before accents and what follows them nothing belongs to another character.
  if (text.charCodeAt(place) < 0x300) return false
  return /^(?:[\udc00-\udfff]|\p{M}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}])/u.test(text.slice(place, place + 2))
}

export function merged(marks: [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of marks.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
