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
