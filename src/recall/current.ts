import { RecollectError } from '../model/errors.ts'
import { ancestors } from '../platform/ancestors.ts'
import type { Source } from '../sources/source.ts'
import { candidatesAmong, isAbout } from './candidates.ts'
import type { Asker, LiveChat } from './live.ts'
import { openExactly, openNamed } from './open.ts'
import { type Seen, trace } from './trace.ts'

/** The dialog that the call came from, with how sure that is and why. */
export interface Current {
  live: LiveChat
  matched: string
}

/** Nobody can tell: what it may be, the last written first. */
export interface Unsure {
  candidates: LiveChat[]
}

/** Why a dialog was taken, and how sure that is; read by models. */
const MATCHED = {
  set: 'exact: named by RECOLLECT_SESSION',
  host: 'exact: named by the client with the call',
  id: "exact: the call's id is in its file",
  process: "exact: open in the client's process",
  variable: 'high: named by the client to its server',
  words: 'high: the only chat with this call open',
  waiting: 'medium: the only chat here that waits for a tool',
  only: 'medium: the only active chat here',
} as const

const MOST_CANDIDATES = 5
/** Without knowing when the client began, dialogs count as going on for so long. */
const GOING_ON_MS = 10 * 60_000
/** A client may write the first words before it starts its servers. */
const BEFORE_START_MS = 10_000
const MOST_PARENTS = 8

/** What to do where it cannot be told. */
export const HOW_TO_NAME =
  'Any of these may be your chat: call again with the sessionId of the one whose first words you know.'

/** The chat meant by an id as in the contract, `current` and chats that were never synced included. */
export async function openChat(asker: Asker, reference: string): Promise<LiveChat> {
  if (reference !== 'current') return await openNamed(asker, reference)
  const current = await currentChat(asker)
  if ('live' in current) return current.live
  const candidates = current.candidates.map(({ chat }) => ({ sessionId: chat.id, updatedAt: chat.updatedAt }))
  throw new RecollectError(
    'SESSION_NOT_FOUND',
    'No active dialog found',
    'Give the id of a chat; `list_chats` shows them.',
    candidates.length > 0 ? { candidates } : undefined,
  )
}

/**
 * The dialog in which the model made the call, by what can be known at this moment; never a choice
 * between two. See docs/decisions/0014-current-dialog.md. Cost: a listing of the assistant's folders
 * and the ends of a few files; where the call has to be found in them, up to 1.5 s of waiting for it.
 */
export async function currentChat(asker: Asker): Promise<Current | Unsure> {
  const { machine, caller, sources } = asker
  const set = machine.env.RECOLLECT_SESSION?.trim()
  if (set && set !== 'current') return { live: await openNamed(asker, set), matched: MATCHED.set }
  const own = sources.find((source) => source.id === caller.assistant)
  const taken = async (id: string | undefined, matched: string): Promise<Current | undefined> => {
    const live = id && id !== 'current' ? await openExactly(asker, own, id) : undefined
    return live && { live: await ofUser(asker, live), matched }
  }

  const named = [caller.sessionId, caller.userDialog].filter((id) => id && id !== 'current')
  for (const id of named) {
    const found = await taken(id, MATCHED.host)
    if (found) return found
  }
  const { call } = caller
  const tracing = (own ? [own] : sources).filter((source) => source.calls?.seenIn)
  if (call?.id !== undefined) {
    const found = await oneOf(asker, await trace(asker, tracing, call))
    if ('live' in found) return found
  }
  // Who started us says nothing of a dialog that was named and cannot be found.
  const isOurs = named.length === 0 && caller.startedUsAt !== undefined
  const open = isOurs && own?.calls?.openIn ? openIn(own, asker) : undefined
  const inProcess = await taken(open, MATCHED.process)
  if (inProcess) return inProcess

  const variable = isOurs ? own?.calls?.variable : undefined
  const given = variable && machine.env[variable.name]?.trim()
  if (call && call.id === undefined) {
    const seen = await trace(asker, tracing, call, given)
    if (given && seen.length === 1 && seen[0]!.chatId === given) {
      const confirmed = await taken(given, MATCHED.variable)
      if (confirmed) return confirmed
    }
    const found = await oneOf(asker, seen)
    if ('live' in found || found.candidates.length > 1) return found
  }
  if (variable?.staysTrue) {
    const found = await taken(given, MATCHED.variable)
    if (found) return found
  }
  return await onlyOne(asker, own ? [own] : sources, { given, mayTake: named.length === 0 })
}

function openIn(own: Source, { machine }: Asker): string | undefined {
  for (const pid of ancestors()) {
    const id = own.calls?.openIn?.(pid, machine)
    if (id) return id
  }
  return undefined
}

/** The one dialog that the sightings are of: several sub-agents may be of one. */
async function oneOf(asker: Asker, seen: Seen[]): Promise<Current | Unsure> {
  const { workspace, startedUsAt } = asker.caller
  const dialogs = new Map<string, Current>()
  for (const { source, chatId, by } of seen) {
    const live = await openExactly(asker, source, chatId)
    if (!live) continue
    const user = await ofUser(asker, live)
    const isElsewhere = workspace !== undefined && !isAbout(user.chat.workspace, workspace)
    // Any dialog may wait for a tool: where the client works, only those of its folder count.
    if (by === 'waiting' && isElsewhere && startedUsAt !== undefined) continue
    const name = `${user.chat.source}:${user.chat.id}`
    if (!dialogs.has(name)) dialogs.set(name, { live: user, matched: MATCHED[by] })
  }
  const all = [...dialogs.values()]
  const here = all.filter(({ live }) => workspace && isAbout(live.chat.workspace, workspace))
  const left = all.length > 1 && here.length === 1 ? here : all
  if (left.length === 1) return left[0]!
  return { candidates: left.map(({ live }) => live).slice(0, MOST_CANDIDATES) }
}

/** The only dialog going on, where it does not contradict the one that the client once named. */
async function onlyOne(
  asker: Asker,
  sources: Source[],
  { given, mayTake }: { given?: string; mayTake: boolean },
): Promise<Current | Unsure> {
  const { workspace, assistant, startedUsAt } = asker.caller
  if (!workspace && !assistant) return { candidates: [] }
  const candidates = await candidatesAmong(asker, sources)
  const since = startedUsAt === undefined ? Date.now() - GOING_ON_MS : startedUsAt - BEFORE_START_MS
  const goingOn = candidates.filter(({ writtenAt }) => writtenAt >= since)
  const isPlausible = mayTake && goingOn.length === 1 && (!given || given === goingOn[0]!.id)
  if (isPlausible) return { live: await goingOn[0]!.open(), matched: MATCHED.only }
  const named = candidates.filter(({ id }) => id === given)
  const possible = goingOn.length > 0 ? [...new Set([...goingOn, ...named])] : candidates
  const offered = possible.filter(({ isNameless }) => !isNameless).slice(0, MOST_CANDIDATES)
  return { candidates: await Promise.all(offered.map((each) => each.open())) }
}

/** A sub-agent works for a person: theirs is the dialog that is meant. */
async function ofUser(asker: Asker, live: LiveChat): Promise<LiveChat> {
  let user = live
  for (let steps = 0; user.chat.subagent && user.chat.parentId && steps < MOST_PARENTS; steps++) {
    const source = asker.sources.find(({ id }) => id === user.chat.source)
    const parent = await openExactly(asker, source, user.chat.parentId)
    if (!parent) break
    user = parent
  }
  return user
}
