import type { SearchView, WordField } from '../archive/archive.ts'
import type { Clean } from '../model/clean.ts'
import { type Held, heldText, SEARCHED_TOOL_TEXT } from '../model/tool-text.ts'
import type { ChatScore } from './ranking.ts'
import { hidden } from './regex-hidden.ts'

/** After so many in a row that contain what is excluded no more are looked through: that takes long. */
const MOST_IN_A_ROW = 1_000

/** The first chats that do not contain what is excluded, and how many were looked through for that. */
export interface Kept {
  checked: ChatScore[]
  looked: number
  /** There may be more behind those that were looked through, but they are too far behind. */
  isGivenUp: boolean
}

/** At least `least` are looked through, and as many as it takes to have `most` that are left. */
export function withoutExcluded(
  chats: ChatScore[],
  isExcluded: (chat: number) => boolean,
  { least, most }: { least: number; most: number },
): Kept {
  const checked: ChatScore[] = []
  let [looked, inARow] = [0, 0]
  for (const chat of chats) {
    if ((checked.length >= most && looked >= least) || inARow === MOST_IN_A_ROW) break
    looked++
    if (isExcluded(chat.key)) inARow++
    else {
      inARow = 0
      checked.push(chat)
    }
  }
  return { checked, looked, isGivenUp: inARow === MOST_IN_A_ROW }
}

/**
 * Whether a chat contains any of the texts, in lower case, anywhere in these fields: not only in a secret, or what a secret is
 * could be found out letter by letter. Each is looked through once; what has one of them is cleaned.
 */
export function exclusion(
  view: SearchView,
  excludes: string[],
  fields: WordField[],
  clean: Clean,
): (chat: number) => boolean {
  if (excludes.length === 0) return () => false
  const known = new Map<number, boolean>()
  // An accent is written as one with its letter or after it, and looks the same.
  const literals = excludes.map((each) => each.normalize('NFC'))
  const isPlain = literals.every((each) => /^[\x00-\x7f]*$/.test(each))
  const isIn = (text: string) => {
    const lower = isPlain ? text.toLowerCase() : text.toLowerCase().normalize('NFC')
    return literals.some((each) => lower.includes(each))
  }
  const textOf = (held: Held) => heldText(held, SEARCHED_TOOL_TEXT)
  const contains = (chat: number) => {
    for (const held of view.heldIn(chat, fields))
      if (isIn(textOf(held)) && isIn(hidden(textOf(clean(held, { key: chat }))).text)) return true
    return false
  }
  return (chat) => {
    const isExcluded = known.get(chat) ?? contains(chat)
    known.set(chat, isExcluded)
    return isExcluded
  }
}
