/** Takes out what must not leave. Before anything is cut: half a secret is not known for one. */
export type Clean = <T>(value: T, said?: SaidIn) => T

/** The chat in which it was said: what was a secret once in a chat is one everywhere in it. */
export interface SaidIn {
  /** The archive's own number for it; missing where no sync has seen it. */
  key?: number
  /** What its files say beyond the archive. */
  unsynced?: readonly object[]
  /** It is told of many chats at once. */
  anywhere?: true
}

/** Names of folders, models and tools that chats have in common: what was a secret in any chat is one in them. */
export const ANYWHERE: SaidIn = { anywhere: true }

/** What stands within so much of a text that is shown is cleaned together with it. */
export const LONGEST_SECRET = 16_000

/**
 * As much of a very long text as is to be cleaned where no more than `most` of it is looked at: it ends between two words, as half
 * of a secret would not be known.
 */
export function firstPart(text: string, most: number): string {
  const end = most + LONGEST_SECRET
  if (text.length <= end) return text
  const space = text.slice(most, end).search(/\s\S*$/)
  return text.slice(0, space < 0 ? end : most + space)
}
