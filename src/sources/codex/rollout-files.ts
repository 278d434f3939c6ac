import fs from 'node:fs'
import path from 'node:path'
import { timeOf } from './thread.ts'

export interface RolloutName {
  threadId: string
  /** What other rollouts call this one; a thread's first rollout has the id of its thread. */
  rolloutId: string
  /** Milliseconds from the beginning of the thread to that of this rollout; 0 for its first. */
  after: number
}

const NAME = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?:_([^/\\]{1,100}?))?\.json(?:l(?:\.zst)?)?$/

/** Reverting a thread leaves its file as it is and goes on in another one: `…-<thread>_<rollout>.jsonl`. */
export function rolloutNameOf(file: string): RolloutName | undefined {
  const [, threadId, later] = NAME.exec(file) ?? []
  if (!threadId) return undefined
  if (!later) return { threadId, rolloutId: threadId, after: 0 }
  const after = (timeOf(later) ?? 0) - (timeOf(threadId) ?? 0)
  return { threadId, rolloutId: later, after: Math.max(1, after) }
}

/** More than Codex can write, so that what it wrote later comes later whatever was written before. */
const BYTES_PER_MS = 65_536
const MOST_SHIFT = 2 ** 52

/** What is added to a rollout's offsets to get places in its thread; nothing for a thread's first. */
export function shiftOf(file: string): number | undefined {
  const after = rolloutNameOf(file)?.after
  return after ? Math.min(after * BYTES_PER_MS, MOST_SHIFT) : undefined
}

/**
 * A later rollout knows what was taken back of the earlier ones. And the same rollout may lie there
 * twice while it is being compressed: the plain file may be longer.
 */
export function rankOf(file: string): number {
  return 2 * (rolloutNameOf(file)?.after ?? 0) + (file.endsWith('.jsonl') ? 1 : 0)
}

/** The rollouts that this one's thread had before, the oldest first. */
export function earlierRollouts(file: string): { file: string; rolloutId: string }[] {
  const own = rolloutNameOf(file)
  if (!own || own.after === 0) return []
  const home = /^(.*)[\\/](?:archived_)?sessions[\\/]/.exec(file)?.[1]
  const found = new Map<string, RolloutName & { file: string }>()
  for (const each of home === undefined ? namesIn(path.dirname(file)) : rolloutsBelow(home)) {
    const name = each.includes(own.threadId) ? rolloutNameOf(each) : undefined
    if (name?.threadId !== own.threadId || name.after >= own.after) continue
    if (!found.has(name.rolloutId) || each.endsWith('.jsonl'))
      found.set(name.rolloutId, { ...name, file: each })
  }
  return [...found.values()].sort((a, b) => a.after - b.after)
}

export function* rolloutsBelow(home: string): Generator<string> {
  yield* namesIn(path.join(home, 'sessions'), 3)
  yield* namesIn(path.join(home, 'archived_sessions'))
}

function* namesIn(folder: string, depth = 0): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name)
    if (!entry.isDirectory()) yield file
    else if (depth > 0) yield* namesIn(file, depth - 1)
  }
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
