import type { Chat, Message } from '../model/chat.ts'
import type { Machine } from '../platform/machine.ts'

/**
 * How one assistant keeps its chats. A source is a pure reader: it says where to look and turns
 * files into chats and messages. It never writes, and knows nothing of the archive.
 */
export interface Source {
  /** Short and stable: stored with every chat, typed by people. */
  id: string
  /** As people call it. */
  name: string
  /** Every folder this assistant may use on this machine, whether it is there or not. */
  roots(machine: Machine): Root[]
  /** Whether the walk below a root enters this folder. Paths are relative to the root, with `/`. */
  enters(folder: string, root: Root): boolean
  /**
   * The unit that a file belongs to, or nothing. Also called with one changed path in watch mode,
   * so it must decide from the path alone, without touching the disk. A side file (a title kept
   * beside the transcript) answers with the unit of its main file.
   */
  unit(file: string, root: Root): Unit | undefined
  /**
   * The chats and messages of a unit. With `from`, only what came after that checkpoint; the same
   * message may be told again (same id) with more in it. Bad records are reported and skipped.
   */
  read(unit: Unit, from: Checkpoint | undefined, machine: Machine): Iterable<Found>
}

export interface Root {
  path: string
  /** Which product or place this is, where a source has several: `Code - Insiders`, `legacy`. */
  label?: string
  /** Too wide to be watched, like a home folder: it is looked at once a minute instead. */
  watched?: false
}

/** What is read, compared and remembered as one: usually one file. */
export interface Unit {
  path: string
  /** How it changes: `append` only grows until it is rewritten, `whole` is always rewritten, `database` knows its own changes. */
  growth: 'append' | 'whole' | 'database'
  /** Files whose change also asks for a new reading. They may be missing. */
  beside?: string[]
  /** Its messages count only in chats of which no other unit tells any. */
  standsIn?: boolean
  /** Those that stand in for this one: looked at again after it, whenever it changes. */
  standIns?: Unit[]
  /** When several units tell of one message the highest rank is believed; 0 where nothing is said. */
  rank?: number
}

export type Found =
  /** A chat's header. What is left undefined keeps its known value. */
  | { chat: Chat }
  | { chatId: string; message: Message }
  | { problem: Problem }
  /** Everything told so far is complete; a later reading may start from here. */
  | { checkpoint: Checkpoint }
  /** Going on from the checkpoint was not possible: all that follows is a reading from the start. */
  | { restart: true }

export interface Checkpoint {
  /** Bytes read, for `append` units; otherwise of the source's own meaning. */
  offset: number
  /** What the source needs to go on from there. JSON, small. */
  state?: unknown
}

export interface Problem {
  /** Byte offset in the file, where there is one. */
  offset?: number
  reason: string
}
