import { workspaceFolder } from '../context/place.ts'
import type { Entry } from '../server/guard.ts'
import type { Caller } from '../service/caller.ts'
import { type Forgetter, forgetterFor } from '../service/forgetter.ts'
import { type Reader, readerFor } from '../service/reader.ts'
import type { Backend } from './backend.ts'

/** Who asks over HTTP: the person at the page, or a program with a token. Works in the folder that the server was started in. */
export function callerOf(
  { owner, client, scopes = [] }: Entry,
  { shared }: Backend,
  signal?: AbortSignal,
): Caller {
  const roots = [workspaceFolder({ env: shared.env })]
  const known = { client, roots, signal }
  return owner ? { kind: 'owner', ...known } : { kind: 'program', scopes, ...known }
}

/** Reads chats for whoever asks; `reveal` is refused to a token. */
export function readerOf(entry: Entry, backend: Backend, reveal?: boolean, signal?: AbortSignal): Reader {
  return readerFor(backend.shared, { ...callerOf(entry, backend, signal), reveal })
}

/** Erases chats for whoever asks; a token is refused. */
export function forgetterOf(entry: Entry, backend: Backend): Forgetter {
  return forgetterFor(backend.shared, callerOf(entry, backend))
}
