import fs from 'node:fs'
import path from 'node:path'
import { changedChats, newState, restored, saved, sessionChat, takeEvent } from '../copilot-cli/family.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { asCliEvents } from './events.ts'

const ID = 'copilot-jetbrains'
/** More than a partition can hold: what stands in a later one comes later. */
const PARTITION_BYTES = 2 ** 36
const LINES_BETWEEN_CHECKPOINTS = 1000

export function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  const size = fs.statSync(unit.path, { throwIfNoEntry: false })?.size
  if (size === undefined) return
  const id = path.basename(path.dirname(unit.path))
  const partition = Number(/(\d+)\.jsonl$/.exec(unit.path)?.[1] ?? 0)
  let state = from && from.offset <= size ? restored(from.state, ID, id) : undefined
  if (from && !state) yield { restart: true }
  let end = state && from ? from.offset : 0
  state ??= newState(ID, id)
  let lines = 0
  for (const line of jsonLines(unit.path, { from: end })) {
    if (line.problem) yield { problem: line.problem }
    for (const [at, event] of asCliEvents(line.value, line.offset).entries()) {
      const place = partition * PARTITION_BYTES + line.offset + at / 8
      yield* takeEvent(state, event, place)
    }
    end = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) {
      yield* changedChats(state)
      yield { checkpoint: { offset: end, state: saved(state) } }
    }
  }
  yield* changedChats(state)
  if (state.session.said) yield { chat: sessionChat(state) }
  yield { checkpoint: { offset: end, state: saved(state) } }
}
