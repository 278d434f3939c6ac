import type { Archive } from '../archive/archive.ts'
import { openedWhenNeeded } from '../archive/opened.ts'
import type { Answers, CapabilityName, Inputs } from '../capabilities/index.ts'
import { workspaceFolder } from '../context/place.ts'
import { RecollectError } from '../model/errors.ts'
import { thisMachine } from '../platform/machine.ts'
import type { Caller } from '../service/caller.ts'
import { orThrow } from '../service/failure.ts'
import { type Forgetter, forgetterFor } from '../service/forgetter.ts'
import { type Noter, noterFor } from '../service/noter.ts'
import { type Reader, readerFor } from '../service/reader.ts'
import { type Redactor, redactorFor } from '../service/redactor.ts'
import { type Reviver, reviverFor } from '../service/reviver.ts'
import { call, type Service } from '../service/service.ts'
import { sources } from '../sources/index.ts'
import { type GlobalOptions, machineOf, openArchive, withArchive } from './archive.ts'

export interface CallOptions extends GlobalOptions {
  reveal?: boolean
}

/** Calls a capability as the owner at the terminal; what goes wrong is thrown. */
export type Ask = <N extends CapabilityName>(
  name: N,
  given: Inputs[N],
  more?: Pick<Caller, 'progress'>,
) => Promise<Answers[N]>

/** Does `work` with the archive, which must be there already. */
export async function withGate<T>(
  options: CallOptions,
  work: (ask: Ask, archive: Archive) => Promise<T>,
): Promise<T> {
  return await withArchive(options, (archive) => work(askOf(archive, options), archive))
}

/** For what needs no chats: the archive is opened where it turns out to be needed. */
export async function askOnce<N extends CapabilityName>(
  options: CallOptions,
  name: N,
  given: Inputs[N],
): Promise<Answers[N]> {
  const archive = openedWhenNeeded(async () => openArchive(options))
  try {
    return await askOf(archive, options)(name, given)
  } finally {
    await archive.close()
  }
}

export function askOf(archive: Archive, options: CallOptions): Ask {
  return async (name, given, more) => {
    const caller = { ...callerOf(options), ...more }
    return orThrow(await call(serviceOf(archive, options), name, given, caller))
  }
}

/** Notes as the owner at the terminal. */
export function noterOf(archive: Archive, options: CallOptions): Noter {
  return noterFor(serviceOf(archive, options), callerOf(options))
}

/** Reads chats as the owner at the terminal. */
export function readerOf(archive: Archive, options: CallOptions): Reader {
  return readerFor(serviceOf(archive, options), callerOf(options))
}

/** Erases chats as the owner at the terminal. */
export function forgetterOf(archive: Archive, options: CallOptions): Forgetter {
  return forgetterFor(serviceOf(archive, options), callerOf(options))
}

/** Which secrets are in the archive, and taking them out of it. */
export function redactorOf(archive: Archive, options: CallOptions): Redactor {
  return redactorFor(serviceOf(archive, options), callerOf(options))
}

/** Writing chats back into their assistants. */
export function reviverOf(archive: Archive, options: CallOptions): Reviver {
  return reviverFor(serviceOf(archive, options), { ...callerOf(options), reveal: true })
}

function serviceOf(archive: Archive, options: CallOptions): Service {
  const machine = machineOf(options)
  return {
    archive,
    env: machine.env,
    readable: async () => ({ sources, machine }),
    capabilities: async () => (await import('../capabilities/index.ts')).capabilities,
    syncing: () => undefined,
  }
}

/** Works in the project that the folder we are in belongs to. */
function callerOf({ reveal }: CallOptions): Caller {
  return { kind: 'owner', client: 'cli', roots: [workspaceFolder({ env: thisMachine().env })], reveal }
}

export interface ChoiceOptions extends CallOptions {
  query?: string
  source?: string
  workspace?: string
  since?: string
  until?: string
}

/** Where chats come from, as options take it. */
export interface OriginOptions {
  repository?: string
  author?: string
  machine?: string
}

export function originIn({ repository, author, machine }: OriginOptions): OriginOptions {
  return { repository, author, machine }
}

/** The chats that a command is about, as capabilities take them. */
export function choice(chats: string[], options: ChoiceOptions) {
  const { query, source, workspace } = options
  return {
    ...(chats.length > 0 && { chatIds: chats }),
    query,
    source,
    workspace,
    time_window: windowOf(options),
  }
}

export function windowOf({ since, until }: { since?: string; until?: string }) {
  return since === undefined && until === undefined ? undefined : { start: since, end: until }
}

/** One of several words, as an option takes it. */
export function oneOf<T extends string>(given: string, words: readonly T[], name: string): T {
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new RecollectError('INVALID_ARGUMENT', `--${name} takes ${words.join(', ')}; not "${given}".`)
}
