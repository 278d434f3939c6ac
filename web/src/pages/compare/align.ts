import type { SeveralChats } from '../../lib/types.ts'

export type Told = SeveralChats['narrative'][number]
type Passage = NonNullable<SeveralChats['commonAlignment']>[number]

/** One stretch of the comparison: what each chat has until, and then the passage they share. */
export interface Row {
  /** By chat: the messages that stand before the passage. */
  before: Told[][]
  /** By chat: the message that holds the passage. Missing after the last one. */
  shared?: { passage: Passage; number: number; messages: (Told | undefined)[] }
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

/**
 * Where passages of other chats stand in a message, in order. One that is worded a little
 * differently here is marked by those of its lines that are not.
 */
export function marksIn(text: string, passages: { content: string; number: number }[]) {
  const marks = passages.flatMap(({ content, number }) => {
    const whole = placeOf(text, content.replace(/…$/, ''))
    const places = whole ? [whole] : content.split('\n').flatMap((line) => placeOf(text, line.trim()) ?? [])
    return places.map((place) => ({ ...place, number }))
  })
  marks.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return marks.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

const SHORTEST = 12

function placeOf(text: string, words: string): { from: number; to: number } | undefined {
  const from = words.length < SHORTEST ? -1 : text.indexOf(words)
  return from < 0 ? undefined : { from, to: from + words.length }
}

function firstIndex({ refs }: Passage): number {
  return Math.min(...refs.map(({ index }) => index))
}
