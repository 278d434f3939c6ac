import type { Chat, ChatStatus, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, version, words } from '../json.ts'

/** What is known of a thread at a point of its rollout; small, and JSON, for it goes into checkpoints. */
export interface Thread {
  id?: string
  hasMeta?: boolean
  /** From the name of the file, for rollouts that lost their first line. */
  fallbackId?: string
  title?: string
  workspace?: string
  repository?: string
  branch?: string
  createdAt?: number
  updatedAt?: number
  parentId?: string
  forkOf?: string
  subagent?: boolean
  format?: string
  /** Bad lines before this offset were reported. */
  reportedTo?: number
  /** Whether the chat was told, which waits for its first message. */
  told?: boolean
  /** Of the turn that is running. */
  model?: string
  cwd?: string
  /** Lines are being read that were copied from the thread this one was forked from. */
  inherited?: boolean
  /** Lines with a lower ordinal came from the parent. */
  ownOrdinal?: number
  /** Added to offsets, in a rollout that came after a revert: the thread began in another one. */
  shift?: number
  /** The thread's tokens so far, to know a repeated count. */
  total?: number
  /** Whether usage comes in records of its own: counts then repeat it. */
  usageRecords?: boolean
  /** Counted but not yet given to an answer. */
  spareUsage?: Usage
  /** Whether this rollout confirms every real prompt with an event. */
  confirmsPrompts?: boolean
  status?: ChatStatus
  /** What this agent is called by the others. */
  agentPath?: string
  /** Whether there are response items: without any, events are all that is known. */
  hasItems?: boolean
  /** The turn that runs, and whether the model has spoken in it: what is typed then was typed meanwhile. */
  inTurn?: boolean
  spoke?: boolean
  /** The last calls, to know those that only an event tells of. */
  calls?: string[]
  /** Questions that wait for the person's answer. */
  asked?: string[]
}

export function chatOf(thread: Thread): Chat {
  const id = thread.id ?? thread.fallbackId ?? 'unknown'
  return {
    source: 'codex',
    id,
    title: thread.title,
    workspace: thread.workspace,
    repository: thread.repository,
    branch: thread.branch,
    createdAt: thread.createdAt,
    updatedAt: thread.updatedAt,
    parentId: thread.parentId,
    forkOf: thread.forkOf,
    subagent: thread.subagent,
    status: thread.status,
    format: thread.format,
    resume: thread.subagent || !/^[\w-]+$/.test(id) ? undefined : `codex resume ${id}`,
  }
}

/** Whether a turn stands in the thread that this one was copied from; undefined where that is not known. */
export type IsParents = (turnId: string) => boolean | undefined

/** `session_meta`: the first one is this thread's, later ones were copied with a parent's history. */
export function takeMeta(
  thread: Thread,
  meta: Json,
  at: number | undefined,
  isParents: IsParents = () => undefined,
): void {
  if (thread.hasMeta) {
    // What follows was copied, up to the first turn that the other thread does not have.
    if (short(meta.id) === (thread.forkOf ?? thread.parentId) && isParents('') !== undefined)
      thread.inherited = true
    return
  }
  thread.hasMeta = true
  thread.id ??= short(meta.id)
  if (thread.shift === undefined) thread.createdAt = millis(meta.timestamp) ?? at
  thread.workspace = short(meta.cwd)
  const git = object(meta.git)
  thread.branch = short(git?.branch)
  thread.repository = short(git?.repository_url)
  const written = version(meta.cli_version)
  if (written) thread.format = meta.history_mode === 'paginated' ? `paginated ${written}` : written
  takeOrigin(thread, meta)
}

function takeOrigin(thread: Thread, meta: Json): void {
  const subagent = object(meta.source)?.subagent
  const spawn = object(object(subagent)?.thread_spawn)
  const base = thread.shift === undefined ? short(object(meta.history_base)?.thread_id) : undefined
  thread.subagent =
    subagent !== undefined || meta.source === 'subagent' || meta.thread_source === 'subagent' || undefined
  thread.agentPath = short(meta.agent_path) ?? short(spawn?.agent_path)
  const parent = short(spawn?.parent_thread_id) ?? short(meta.parent_thread_id)
  if (thread.subagent) thread.parentId = parent ?? short(meta.forked_from_id)
  else thread.forkOf = short(meta.forked_from_id) ?? (base !== thread.id ? base : undefined)
  thread.ownOrdinal = number(meta.subagent_history_start_ordinal)
}

/**
 * A turn begins, or tells its settings. A fork begins with its parent's turns, copied with new
 * timestamps but their old ids; those carry the time they were made (UUID version 7), or else are
 * looked for in the parent's rollout.
 */
export function takeTurn(thread: Thread, turn: Json, isParents: IsParents = () => undefined): void {
  const model = short(turn.model)
  const cwd = short(turn.cwd)
  if (model) thread.model = model
  if (cwd) {
    thread.cwd = cwd
    thread.workspace ??= cwd
  }
  if (thread.forkOf === undefined && thread.parentId === undefined) return
  const born = timeOf(thread.id) ?? thread.createdAt
  const id = short(turn.turn_id)
  const made = timeOf(id)
  if (made !== undefined && born !== undefined) thread.inherited = made < born - 1000
  else if (id !== undefined) thread.inherited = isParents(id) ?? thread.inherited
}

/** When an id was made, where it tells. */
export function timeOf(uuid: string | undefined): number | undefined {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(uuid ?? '')
  return digits ? Number.parseInt(digits[1]! + digits[2]!, 16) : undefined
}

/** Names and paths only: a longer text is not one, and would fill the checkpoint. */
function short(value: unknown): string | undefined {
  return words(value)?.slice(0, 4096)
}
