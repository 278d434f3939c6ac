import type { Archive } from '../archive/archive.ts'
import type { Capability } from '../capabilities/capability.ts'
import type { Machine } from '../platform/machine.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Readable } from '../sync/readable.ts'
import type { Aside } from './aside-words.ts'

/** What calls are answered from. Code is loaded when it is first needed: a client waits for the greeting only. */
export interface Service {
  archive: Archive
  /** Of this process: says where the client works. */
  env: Machine['env']
  /** What is read, and of which machine: the sample archive has one of its own. */
  readable(): Promise<Pick<Readable, 'sources' | 'machine'> & Partial<Readable>>
  /** The machine alone, where it is known without loading the assistants' formats. */
  machine?(): Promise<Machine>
  /** Those that are offered. */
  capabilities(): Promise<Capability[]>
  /** How the syncing behind stands; nothing where this process does not sync. Begins it where it has not begun. */
  syncing(): BackgroundState | undefined
  /** Where long work is done; without it, here. */
  aside?(): Promise<Aside>
}
