import fs from 'node:fs'
import path from 'node:path'
import { dataFolder, lasting, pathsOf } from '../../platform/machine.ts'
import { closedIn, foldersIn } from '../closed.ts'
import { changedChats, newState, restored, saved, sessionChat, takeEvent } from '../copilot-cli/family.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Source, Unit } from '../source.ts'
import { asCliEvents } from './events.ts'

const ID = 'copilot-jetbrains'
/** Copies of what was rolled back have one more name: `partition-1.v2.jsonl`. */
const PARTITION = /^[^/]+\/partition-(\d{1,6})\.jsonl$/

/** Copilot in JetBrains' editors: the events of Copilot CLI, in one file after another for each chat. */
export const copilotJetbrains: Source = {
  id: ID,
  name: 'Copilot in JetBrains',
  evidence: 'writer',
  badge: { letters: 'Cj', colour: 'pink' },
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(machine.home, '.copilot', 'jb') }],
  enters: (folder) => !folder.includes('/'),
  unit: (file, root) =>
    PARTITION.test(file) ? { path: path.join(root.path, file), growth: 'append' } : undefined,
  read,
  closed(machine) {
    const { platform, home, env } = machine
    const { join } = pathsOf(machine)
    const config =
      platform === 'win32' ? dataFolder(machine) : (lasting(env.XDG_CONFIG_HOME) ?? join(home, '.config'))
    const base = join(config, 'github-copilot')
    const stores = foldersIn(base)
      .flatMap((editor) => STORES.map((name) => join(editor, name)))
      .flatMap(foldersIn)
    const files = stores.flatMap((store) => closedIn(store, /nitrite\.db$/, NEXT)).length
    return files > 0 ? [{ path: base, files, how: 'undocumented format', next: NEXT }] : []
  },
}

/** Below the folder of each editor. */
const STORES = ['chat-sessions', 'chat-agent-sessions', 'chat-edit-sessions', 'bg-agent-sessions']
const NEXT =
  'Chats that are also in ~/.copilot/jb, as newer versions of the plugin write them, are read from there. Copy what you need out of the others in the editor.'

/** More than a partition can hold: what stands in a later one comes later. */
const PARTITION_BYTES = 2 ** 36
const LINES_BETWEEN_CHECKPOINTS = 1000

function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
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
