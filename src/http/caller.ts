import { workspaceFolder } from '../context/place.ts'
import type { Entry } from '../server/guard.ts'
import type { Caller } from '../service/caller.ts'
import { type Forgetter, forgetterFor } from '../service/forgetter.ts'
import { type Reader, readerFor } from '../service/reader.ts'
import type { Desk } from './desk.ts'

/** Who asks over HTTP: the person at the page, or a program with a token. Works in the folder that the server was started in. */
export function callerOf(
  { owner, client, scopes = [] }: Entry,
  { shared }: Desk,
  signal?: AbortSignal,
): Caller {
  const roots = [workspaceFolder({ env: shared.env })]
  const known = { client, roots, signal }
  return owner ? { kind: 'owner', ...known } : { kind: 'program', scopes, ...known }
}

/** Reads chats for whoever asks; `reveal` is refused to a token. */
export function readerOf(entry: Entry, desk: Desk, reveal?: boolean, signal?: AbortSignal): Reader {
  return readerFor(desk.shared, { ...callerOf(entry, desk, signal), reveal })
}

/** Erases chats for whoever asks; a token is refused. */
export function forgetterOf(entry: Entry, desk: Desk): Forgetter {
  return forgetterFor(desk.shared, callerOf(entry, desk))
}
