import type { Archive } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import type { Source } from '../sources/source.ts'
import type { FoundUnit } from './discover.ts'

export interface SyncOptions {
  archive: Archive
  sources: Source[]
  machine: Machine
  /** Home folders of other machines that are read as well: copied, mounted. */
  homes?: Machine[]
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  /** How many threads read beside the one that writes; where nothing is said, as many as it is worth. */
  threads?: number
  /** Much is left to who takes it over: `MuchToDo` is thrown before any of it is done. */
  leavesMuch?: boolean
}

/** There is more to do than whoever found it should. */
export class MuchToDo extends Error {
  constructor() {
    super('There is much to do.')
  }
}

export interface Progress {
  source: string
  units: number
  unitsDone: number
  bytes: number
  bytesDone: number
  messages: number
}

export interface Job {
  source: Source
  unit: FoundUnit
  machine: Machine
}
