import fs from 'node:fs'
import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { type Machine, pathsOf } from '../../platform/machine.ts'
import { object, string } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { changedChats, dueSummaries, isUnwanted, takeEvent } from './events.ts'
import { readHistory } from './history.ts'
import { type EventsState, newState, restored, saved, sessionChat } from './state.ts'
import { checkpointsOf, readWorkspace } from './workspace.ts'

const ID = 'copilot-cli'

export const copilotCli: Source = {
  id: ID,
  name: 'Copilot CLI',
  evidence: 'seen',
  badge: { letters: 'Co', colour: 'violet' },
  client: /copilot/i,
  survey: () => import('./survey.ts'),
  revive: () => import('./revive.ts'),
  signs: () => import('./signs.ts'),
  calls,

  roots(machine: Machine): Root[] {
    const { home, env } = machine
    const { isAbsolute, join } = pathsOf(machine)
    const roots: Root[] = [{ path: env.COPILOT_HOME || join(home, '.copilot') }]
    for (const base of [env.XDG_STATE_HOME, env.XDG_CONFIG_HOME]) {
      if (!base || !isAbsolute(base)) continue
      const folder = join(base, '.copilot')
      if (roots.every((root) => root.path !== folder)) roots.push({ path: folder, label: 'legacy' })
    }
    return roots
  },

  enters(folder) {
    return /^(session-state(\/[^./][^/]*)?|history-session-state)$/.test(folder)
  },

  unit(file, root) {
    const session = /^session-state\/([^./][^/]*)\/(events\.jsonl|workspace\.yaml|checkpoints\/index\.md)$/
    const folder = session.exec(file)?.[1]
    if (folder) return sessionUnit(path.join(root.path, 'session-state', folder))
    if (/^session-state\/[^./][^/]*\.jsonl$/.test(file))
      return { path: path.join(root.path, file), growth: 'append', rank: 1 }
    if (/^history-session-state\/session_.+_\d+\.json$/.test(file))
      return { path: path.join(root.path, file), growth: 'whole' }
    return undefined
  },

  read(unit, from) {
    return unit.growth === 'whole' ? readHistory(ID, unit.path) : readSession(unit, from)
  },
}

/** A flat file of an early version is a copy once its session has got a folder: it ranks below. */
function sessionUnit(folder: string): Unit {
  return {
    path: path.join(folder, 'events.jsonl'),
    growth: 'append',
    beside: [path.join(folder, 'workspace.yaml'), path.join(folder, 'checkpoints', 'index.md')],
    rank: 2,
  }
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
