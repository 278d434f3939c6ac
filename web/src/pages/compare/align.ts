import type { SeveralChats } from '../../lib/types.ts'

export type ComparedMessage = SeveralChats['narrative'][number]
export type Passage = NonNullable<SeveralChats['commonAlignment']>[number]

/** One stretch of the comparison: what each chat has until, and then the passage they share. */
export interface Row {
  /** By chat: the messages that stand before the passage. */
  before: ComparedMessage[][]
  /** By chat: the message that holds the passage. Missing after the last one. */
  shared?: { passage: Passage; number: number; messages: (ComparedMessage | undefined)[] }
}

/**
 * The chats side by side, level where they say the same. A passage that would step back in one of
 * them (what came first there came later elsewhere) is left where it stands and only marked.
 */
export function rowsOf({ meta, narrative, commonAlignment = [] }: SeveralChats): Row[] {
  const chats = meta.map(({ chatIdx }) =>
    narrative.filter((message) => message.chatIdx === chatIdx).sort((a, b) => a.index - b.index),
  )
  const next = chats.map(() => 0)
  const rows: Row[] = []
  const inOrder = commonAlignment
    .map((passage, at) => ({ passage, number: at + 1 }))
    .sort((a, b) => firstIndex(a.passage) - firstIndex(b.passage))
  for (const { passage, number } of inOrder) {
    const places = meta.map(({ chatIdx }, at) => {
      const ref = passage.refs.find((each) => each.chatIdx === chatIdx)
      return ref === undefined ? -1 : (chats[at]?.findIndex(({ index }) => index === ref.index) ?? -1)
    })
    if (places.filter((place) => place >= 0).length < 2) continue
    if (places.some((place, at) => place >= 0 && place < (next[at] ?? 0))) continue
    rows.push({
      before: places.map((place, at) => (place < 0 ? [] : (chats[at]?.slice(next[at], place) ?? []))),
      shared: { passage, number, messages: places.map((place, at) => chats[at]?.[place]) },
    })
    places.forEach((place, at) => {
      if (place >= 0) next[at] = place + 1
    })
  }
  rows.push({ before: chats.map((messages, at) => messages.slice(next[at])) })
  return rows
}

/** A passage that other chats have too, and its number. */
export interface Numbered {
  content: string
  number: number
}

/** The passages that are in this very message: words that only look like one are not marked. */
export function passagesIn(commonAlignment: Passage[] = [], { chatIdx, index }: ComparedMessage): Numbered[] {
  return commonAlignment.flatMap(({ content, refs }, at) =>
    refs.some((ref) => ref.chatIdx === chatIdx && ref.index === index) ? [{ content, number: at + 1 }] : [],
  )
}

export interface Place {
  from: number
  to: number
  number: number
}

/**
 * Where these passages are in a message, in order. One that is worded a little differently here is marked
 * by the words in a row that are not.
 */
export function marksIn(text: string, passages: Numbered[]): Place[] {
  const words = wordsIn(text)
  const marks = passages.flatMap(({ content, number }) =>
    placesOf(text, words, content.replace(/…$/, '')).map((place) => ({ ...place, number })),
  )
  marks.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return marks.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

/** So many words in a row that are the same are no chance. */
const RUN = 3

type Word = { from: number; to: number; word: string }

function placesOf(text: string, words: Word[], content: string): { from: number; to: number }[] {
  const whole = text.indexOf(content)
  if (whole >= 0) return [{ from: whole, to: whole + content.length }]
  const sought = wordsIn(content).map(({ word }) => word)
  const runs = new Map<string, number[]>()
  for (let at = 0; at + RUN <= sought.length; at++) {
    const key = sought.slice(at, at + RUN).join(' ')
    runs.set(key, [...(runs.get(key) ?? []), at])
  }
  const places: { from: number; to: number }[] = []
  for (let at = 0; at + RUN <= words.length; ) {
    const starts =
      runs.get(
        words
          .slice(at, at + RUN)
          .map(({ word }) => word)
          .join(' '),
      ) ?? []
    const length = Math.max(0, ...starts.map((start) => sameFrom(words, at, sought, start)))
    const [first, last] = [words[at], words[at + length - 1]]
    if (first && last && length >= RUN) places.push({ from: first.from, to: last.to })
    at += Math.max(1, length)
  }
  return places
}

function sameFrom(words: Word[], at: number, sought: string[], start: number): number {
  let length = 0
  while (at + length < words.length && words[at + length]?.word === sought[start + length]) length++
  return length
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+|[\u3400-\u9fff]/gu)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    word: word.toLowerCase(),
  }))
}

function firstIndex({ refs }: Passage): number {
  return Math.min(...refs.map(({ index }) => index))
}
