import type { Deps } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import { sources } from '../sources/index.ts'
import { type GlobalOptions, machineOf, withArchive } from './archive.ts'
import { moment } from './format.ts'

export interface CallOptions extends GlobalOptions {
  reveal?: boolean
}

/** A terminal cuts nothing. */
const UNCUT = 1_000_000_000

/** Does `work` with what capabilities need; the folder we are in is the caller's. */
export async function withDeps<T>(options: CallOptions, work: (deps: Deps) => Promise<T>): Promise<T> {
  return await withArchive(options, async (archive) => {
    const caller = { workspace: process.cwd(), reveal: options.reveal, maxChars: UNCUT }
    return await work({ archive, sources, machine: machineOf(options), caller })
  })
}

export interface ChoiceOptions extends CallOptions {
  query?: string
  source?: string
  workspace?: string
  since?: string
  until?: string
}

/** The chats that a command is about, as capabilities take them. */
export function choice(chats: string[], { query, source, workspace, since, until }: ChoiceOptions) {
  const time_window =
    since !== undefined || until !== undefined
      ? { start: moment(since), end: moment(until, true) }
      : undefined
  return { ...(chats.length > 0 && { chatIds: chats }), query, source, workspace, time_window }
}

/** One of several words, as an option takes it. */
export function oneOf<T extends string>(given: string, words: readonly T[], name: string): T {
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new RecollectError('INVALID_ARGUMENT', `--${name} takes ${words.join(', ')}; not "${given}".`)
}
