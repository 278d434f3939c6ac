import { RecollectError } from '../model/errors.ts'
import { ancestors } from '../platform/ancestors.ts'
import type { Sighting, Source } from '../sources/source.ts'
import { candidatesAmong, isAbout } from './candidates.ts'
import type { Asker, LiveChat } from './live.ts'
import { openExactly, openNamed } from './open.ts'
import { type Seen, trace } from './trace.ts'

/** The dialog that the call came from, with how sure that is and why. */
export interface Current {
  live: LiveChat
  matched: string
}

/** Nobody can tell: what it may be, the last written first, then what only has such a call open. */
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
  if (call?.id !== undefined) {
    const hit = (await trace(asker, tracedIn(own ? [own] : sources), call)).find(({ by }) => by === 'id')
    const live = hit && (await openExactly(asker, hit.source, hit.chatId))
    if (live) return { live: await ofUser(asker, live), matched: MATCHED.id }
  }
  // Who started us says nothing of a dialog that was named and cannot be found.
  const isOurs = named.length === 0 && caller.startedUsAt !== undefined
  const open = isOurs && own?.calls?.openIn ? openIn(own, asker) : undefined
  const inProcess = await taken(open, MATCHED.process)
  if (inProcess) return inProcess

  const variable = isOurs ? own?.calls?.variable : undefined
  const given = variable && machine.env[variable.name]?.trim()
  let dialogs: Dialog[] = []
  // Where nobody knows whose files to look at, a dialog that has the same call open is another client's.
  if (own && call && call.id === undefined) {
    const isConfirmed = ({ by, chatId, isFresh }: Seen) =>
      by === 'words' && chatId === given && (isFresh || variable?.staysTrue === true)
    const seen = await trace(asker, tracedIn([own]), call, given ? isConfirmed : undefined)
    const confirmed = seen.some(isConfirmed) ? await taken(given, MATCHED.variable) : undefined
    if (confirmed) return confirmed
    dialogs = await dialogsOf(asker, seen)
    const likely = likeliest(dialogs).filter(
      ({ live: { chat } }) =>
        named.length === 0 || named.includes(chat.id) || named.includes(`${chat.source}:${chat.id}`),
    )
    if (likely.length === 1) return { live: likely[0]!.live, matched: MATCHED[likely[0]!.by] }
    if (likely.length > 1) return { candidates: likely.map(({ live }) => live).slice(0, MOST_CANDIDATES) }
  }
  if (variable?.staysTrue) {
    const found = await taken(given, MATCHED.variable)
    if (found) return found
  }
  // A client whose dialogs nobody knows has one that is not among these; a person at a terminal has none.
  const isStranger = !own && (call !== undefined || caller.startedUsAt !== undefined)
  const mayTake = named.length === 0 && !isStranger
  const seen = dialogs.map(({ live }) => live)
  return await onlyOne(asker, own ? [own] : sources, { given, seen, mayTake })
}

function tracedIn(sources: Source[]): Source[] {
  return sources.filter((source) => source.calls?.seenIn)
}

function openIn(own: Source, { machine }: Asker): string | undefined {
  for (const pid of ancestors()) {
    const id = own.calls?.openIn?.(pid, machine)
    if (id) return id
  }
  return undefined
}

/** A dialog that may have made the call. */
interface Dialog extends Pick<Seen, 'isFresh'> {
  live: LiveChat
  by: Sighting['by']
  /** It is known to be about another folder than the one that the client works in. */
  isElsewhere: boolean
}

/** The dialogs that the sightings are of: several sub-agents may be of one. */
async function dialogsOf(asker: Asker, seen: Seen[]): Promise<Dialog[]> {
  const { workspace, startedUsAt } = asker.caller
  // Who started us works where we were started; who comes over HTTP may work anywhere.
  const isFolderKnown = workspace !== undefined && startedUsAt !== undefined
  const dialogs = new Map<string, Dialog>()
  for (const { source, chatId, by, isFresh } of seen) {
    const found = await openExactly(asker, source, chatId)
    if (!found) continue
    const live = await ofUser(asker, found)
    const { chat } = live
    const isOutside = isFolderKnown && !isAbout(chat.workspace, workspace)
    // Any dialog may wait for a tool: where the client works, only those of its folder count.
    if (by === 'waiting' && isOutside) continue
    const name = `${chat.source}:${chat.id}`
    const isElsewhere = isOutside && chat.workspace !== undefined
    if (!dialogs.get(name)?.isFresh) dialogs.set(name, { live, by, isFresh, isElsewhere })
  }
  return [...dialogs.values()]
}

/**
 * Those that may be taken. The same call of minutes ago, or in another folder, may be another's that waits for
 * permission while ours is not written down yet: such a dialog is only offered. Of clients that write calls down
 * after their answers no more is ever seen than that they wait.
 */
function likeliest(dialogs: Dialog[]): Dialog[] {
  const here = dialogs.filter(({ isElsewhere }) => !isElsewhere)
  const fresh = here.filter(({ isFresh }) => isFresh)
  return fresh.length > 0 ? fresh : here.filter(({ by }) => by === 'waiting')
}

/** The only dialog going on, where neither the one that the client once named nor one with the call contradicts it. */
async function onlyOne(
  asker: Asker,
  sources: Source[],
  { given, seen, mayTake }: { given?: string; seen: LiveChat[]; mayTake: boolean },
): Promise<Current | Unsure> {
  const { workspace, assistant, startedUsAt } = asker.caller
  if (!workspace && !assistant) return { candidates: [] }
  const candidates = await candidatesAmong(asker, sources)
  const since = startedUsAt === undefined ? Date.now() - GOING_ON_MS : startedUsAt - BEFORE_START_MS
  const goingOn = candidates.filter(({ writtenAt }) => writtenAt >= since)
  const [only] = goingOn.length === 1 ? goingOn : []
  const isPlausible =
    mayTake && only && (!given || given === only.id) && seen.every(({ chat }) => chat.id === only.id)
  if (isPlausible) return { live: await only.open(), matched: MATCHED.only }
  const named = candidates.filter(({ id }) => id === given)
  const possible = goingOn.length > 0 ? [...new Set([...goingOn, ...named])] : candidates
  const others = seen
    .filter(({ chat }) => !possible.some(({ id }) => id === chat.id))
    .slice(0, MOST_CANDIDATES - 1)
  const offered = possible.filter(({ isNameless }) => !isNameless).slice(0, MOST_CANDIDATES - others.length)
  return { candidates: [...(await Promise.all(offered.map((each) => each.open()))), ...others] }
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
