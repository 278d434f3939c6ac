import type { Machine } from '../platform/machine.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Caller } from './caller.ts'
import type { Failure } from './failure.ts'

/**
 * Helpers for what may take longer than 20 ms, so that other callers do not wait for it: processes, or threads where there
 * may be none. Each reads the archive by a connection of its own and asks the same gate for the same caller. Started when
 * first needed, ended when idle.
 */
export interface Aside {
  /** The answer; what goes wrong is thrown, in the words of this caller. */
  run(task: Task, caller: Caller): Promise<unknown>
  /** What `reader.download` gives. */
  download(input: object, caller: Caller): Promise<Download>
  /** How many there are. */
  helpers(): number
  close(): Promise<void>
}

export interface Download {
  extension: string
  pieces: AsyncGenerator<string>
}

/** What the server and its helpers say to each other. */

/** What a reader does that may take long. */
export type LongReading =
  | 'find'
  | 'steps'
  | 'whole'
  | 'facets'
  | 'states'
  | 'workspaces'
  | 'origins'
  | 'groups'
  | 'vanishing'
  | 'sourceReports'
  | 'checkContext'

export type Task = (
  | { kind: 'call'; name: string; given: Record<string, unknown> }
  /** A method of `readerFor`. */
  | { kind: 'read'; method: LongReading; given: unknown[] }
  | { kind: 'download'; input: object }
  /** The next piece of a download. */
  | { kind: 'piece'; number: number }
) & {
  /** It mostly waits: for files to be written, for who reads what it makes. */
  isWaiting?: boolean
}

/** What a call is answered with. */
export interface CallAnswer {
  answer: Record<string, unknown>
  /** See `refusalCode`, which knows the object itself. */
  refusal: string | undefined
}

export interface Order {
  folder: string
  /** Ids of the sources that are read, as the archive is configured where there are none; and of which machine. */
  sources: string[] | undefined
  machine: Machine
  homes: Machine[] | undefined
  syncing: BackgroundState | undefined
  task: Task
  caller: Omit<Caller, 'progress' | 'signal'>
}

export type ToHelper = { id: number; order: Order } | { cancelled: number } | { dropped: number } | 'end'

export type Answered = { id: number } & (
  | { answer: unknown }
  | { failure: Failure }
  | { progress: [done: number, of: number] }
)
