import { type Json, object } from '../json.ts'
import type { Badge, Found, Problem } from '../source.ts'

/** A kind of export file that can be brought into the archive. It is told from others by what is in it. */
export interface Import {
  /** Short and stable. Also the source of its chats, except for Recollect's own export. */
  id: string
  /** As people call it. */
  name: string
  /** Two letters and a colour, where it is no assistant that has its own. */
  badge?: Badge
  /** What one would have to hand in, for the error that says nothing of it was found. */
  looksFor: string
  /** Whether a document is of this kind: one element of the file's array, its first line, or all of it. */
  recognise(document: Json, file: string): boolean
  /** Tells each chat before its messages. */
  read(elements: Iterable<Element>, file: string): Iterable<Found>
  /** For files that are no JSON. */
  text?: TextKind
}

/** How a file of text is told by its beginning, and what it says. */
export interface TextKind {
  fits(head: string): boolean
  read(text: string, file: { name: string; path: string }): Iterable<Found>
}

/** A kind whose files are text. */
export function importOfText(about: Omit<Import, 'read' | 'recognise' | 'text'>, text: TextKind): Import {
  return { ...about, recognise: () => false, read: () => [], text }
}

/** One element of the array in a file, one of its lines, or all of it. */
export type Element =
  | { offset: number; value: unknown; problem?: undefined }
  | { offset: number; problem: Problem; value?: undefined }

/** A kind whose files hold whole chats, one per element. */
export function importOfChats(
  about: Omit<Import, 'read'>,
  readChat: (document: Json, file: string) => Iterable<Found>,
): Import {
  return {
    ...about,
    *read(elements, file) {
      for (const { offset, value, problem } of elements) {
        const document = object(value)
        if (problem) yield { problem }
        else if (!document || !about.recognise(document, file))
          yield { problem: { offset, reason: `not a chat of ${about.name}` } }
        else {
          try {
            yield* readChat(document, file)
          } catch (error) {
            yield { problem: { offset, reason: `could not be read: ${(error as Error).message}` } }
          }
        }
      }
    },
  }
}
