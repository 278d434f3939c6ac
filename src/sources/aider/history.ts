import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { Chat } from '../../model/chat.ts'
import { object, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { closed, kindOf, newGroup, positionFrom, type Run, take } from './groups.ts'
import { textLines } from './text-lines.ts'

/** How far apart checkpoints stand on a long file. */
const SAVE_EVERY = 1024 * 1024

/**
 * A history file: one chat for each `# aider chat started at …`. It is cut into groups, each a
 * request or an answer with the remarks after it. The last group may still grow, so a checkpoint
 * always stands at the beginning of one, and the last group is told again next time.
 */
export function* readHistory(
  file: string,
  from: Checkpoint | undefined,
  workspace: string | undefined,
): Generator<Found> {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) {
    yield { problem: { reason: 'the file is gone' } }
    return
  }
  const place = placeOf(file, from?.state)
  if (from && (from.offset > stat.size || place.isNew)) {
    yield { restart: true }
    from = undefined
  }
  let position = positionFrom(from?.state)
  let group = newGroup(from?.offset ?? 0, position)
  let saved = group.offset

  const finish = function* (): Generator<Found> {
    const { run } = group
    const { messages, after } = closed(group)
    if (run && messages.length > 0) {
      const chat = headerOf(run, place.named, workspace)
      if (run.count === 0) yield { chat }
      for (const message of messages) yield { chatId: chat.id, message }
    }
    return after
  }

  for (const line of textLines(file, group.offset)) {
    const started = startIn(line.text)
    const kind = started ? 'run' : kindOf(line.text, group)
    if (kind === 'run' || kind === 'request' || (kind === 'answer' && group.block !== 'answer')) {
      position = yield* finish()
      if (line.offset - saved >= SAVE_EVERY) {
        saved = line.offset
        yield { checkpoint: { offset: saved, state: { ...position, ...place.state } } }
      }
      group = newGroup(line.offset, position)
      if (started) group.run = nextRun(position.run, started)
    }
    take(group, kind, line.text)
  }
  yield* finish()
  yield { checkpoint: { offset: group.offset, state: { ...position, ...place.state } } }
}

/**
 * Runs are called by the path under which their file was read first. Where a project's folder was moved since, they are told
 * again, as being of the folder that it is now.
 */
function placeOf(file: string, before: unknown): { named: string; isNew: boolean; state: object } {
  const saved = object(before)
  const named = words(saved?.named) ?? file
  const isNew = (words(saved?.file) ?? named) !== file
  return { named, isNew, state: { named, ...(named !== file && { file }) } }
}

function startIn(line: string): string | undefined {
  return /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/.exec(line.slice(0, 60))?.[1]
}

function nextRun(before: Run | undefined, started: string): Run {
  return { started, twin: before?.started === started ? before.twin + 1 : 0, count: 0 }
}

function headerOf(run: Run, file: string, workspace: string | undefined): Chat {
  const id = createHash('sha256').update(`${file}\n${run.started}\n${run.twin}`).digest('hex').slice(0, 16)
  // The run's own words are all that is known of when it was: the file's time changes with copies and later runs.
  const at = localTime(run.started)
  return { source: 'aider', id, workspace, createdAt: at, updatedAt: at, format: run.version }
}

/** Aider writes local time without saying which. A time that cannot be is none. */
function localTime(started: string): number | undefined {
  const time = new Date(started.replace(' ', 'T')).getTime()
  return Number.isFinite(time) && time > 0 ? time : undefined
}
