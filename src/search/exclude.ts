import type { SearchView, WordField } from '../archive/archive.ts'
import type { ChatScore } from './ranking.ts'

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

/** Whether a chat contains any of the texts, in lower case, anywhere in these fields. Each is looked through once. */
export function exclusion(
  view: SearchView,
  excludes: string[],
  fields: WordField[],
): (chat: number) => boolean {
  if (excludes.length === 0) return () => false
  const known = new Map<number, boolean>()
  return (chat) => {
    let isExcluded = known.get(chat)
    if (isExcluded === undefined) {
      isExcluded = containsAny(view.chatTexts(chat, fields), excludes)
      known.set(chat, isExcluded)
    }
    return isExcluded
  }
}

function containsAny(texts: Iterable<string>, excludes: string[]): boolean {
  for (const text of texts) {
    if (text === '') continue
    const lower = text.toLowerCase()
    if (excludes.some((each) => lower.includes(each))) return true
  }
  return false
}
