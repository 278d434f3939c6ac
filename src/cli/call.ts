import type { Archive } from '../archive/archive.ts'
import type { Deps } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import type { Caller } from '../service/caller.ts'
import { depsOf, type Service } from '../service/service.ts'
import { sources } from '../sources/index.ts'
import { type GlobalOptions, machineOf, withArchive } from './archive.ts'
import { moment } from './format.ts'

export interface CallOptions extends GlobalOptions {
  reveal?: boolean
}

/** Does `work` with what capabilities need; the folder we are in is the caller's. */
export async function withDeps<T>(options: CallOptions, work: (deps: Deps) => Promise<T>): Promise<T> {
  return await withArchive(options, async (archive) => {
    return await work(await depsWith(archive, options))
  })
}

export async function depsWith(archive: Archive, options: CallOptions): Promise<Deps> {
  const machine = machineOf(options)
  const service: Service = {
    archive,
    env: machine.env,
    readable: async () => ({ sources, machine }),
    capabilities: async () => (await import('../capabilities/index.ts')).capabilities,
    syncing: () => undefined,
  }
  const caller: Caller = { kind: 'owner', client: 'cli', roots: [process.cwd()], reveal: options.reveal }
  return await depsOf(service, caller)
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
