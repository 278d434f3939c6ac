import fs from 'node:fs'
import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { object, string } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { changedChats, dueSummaries, isUnwanted, takeEvent } from './events.ts'
import { readHistory } from './history.ts'
import { type EventsState, newState, restored, saved, sessionChat } from './state.ts'
import { checkpointsOf, readWorkspace } from './workspace.ts'

const ID = 'copilot-cli'

export function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  return unit.growth === 'whole' ? readHistory(ID, unit.path) : readSession(unit, from)
}

const LINES_BETWEEN_CHECKPOINTS = 1000
const BYTES_BETWEEN_CHECKPOINTS = 1024 * 1024

function* readSession(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  const folder = unit.beside ? path.dirname(unit.path) : undefined
  const id = folder ? path.basename(folder) : path.basename(unit.path, '.jsonl')
  const size = fs.statSync(unit.path, { throwIfNoEntry: false })?.size
  if (size === undefined) return
  let state = from && from.offset <= size ? restored(from.state, ID, id) : undefined
  if (from && !state) yield { restart: true }
  let end = state && from ? from.offset : 0
  state ??= newState(ID, id)
  const checkpointText = folder ? checkpointsOf(folder) : () => undefined
  const assetData = (offset: number) => assetAt(unit.path, offset)
  yield* dueSummaries(state, checkpointText)

  let told = end
  let lines = 0
  for (const line of jsonLines(unit.path, { from: end, skip: isUnwanted })) {
    if (line.problem) yield { problem: line.problem }
    else yield* takeEvent(state, line.value, line.offset, checkpointText, assetData)
    end = line.end
    if (++lines >= LINES_BETWEEN_CHECKPOINTS || end - told >= BYTES_BETWEEN_CHECKPOINTS) {
      yield* changedChats(state)
      yield { checkpoint: { offset: end, state: saved(state) } }
      told = end
      lines = 0
    }
  }
  if (state.unnamed && state.endModel) {
    // Only the end names the model: what was told before is told again with it.
    yield* readSession(unit, { offset: 0, state: saved({ ...newState(ID, id), endModel: state.endModel }) })
    return
  }
  state.session.changed = false
  if (state.session.said) yield { chat: header(state, folder) }
  yield* changedChats(state)
  yield { checkpoint: { offset: end, state: saved(state) } }
}

function assetAt(file: string, offset: number): string | undefined {
  for (const { value } of jsonLines(file, { from: offset })) return string(object(object(value)?.data)?.data)
  return undefined
}

function header(state: EventsState, folder: string | undefined): Chat {
  const chat = sessionChat(state)
  // The CLI of today no longer goes on with a flat file.
  if (!folder) return chat
  const workspace = readWorkspace(folder)
  return {
    ...chat,
    title: workspace.title,
    workspace: chat.workspace ?? workspace.folder,
    repository: chat.repository ?? workspace.repository,
    branch: chat.branch ?? workspace.branch,
    createdAt: chat.createdAt ?? workspace.createdAt,
    updatedAt: chat.updatedAt ?? workspace.updatedAt,
    resume: `copilot --resume=${shellWord(chat.id)}`,
  }
}

/** Programs on top of the CLI may choose any text as an id. */
function shellWord(id: string): string {
  return /^[\w.@:/-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`
}
