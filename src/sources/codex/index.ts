import path from 'node:path'
import { type Machine, pathsOf } from '../../platform/machine.ts'
import type { Checkpoint, Found, Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { ROLLOUT, rankOf } from './family.ts'
import { readHistory } from './history.ts'
import { readRollout } from './rollout.ts'
import { readIndexTitles, readStateTitles } from './titles.ts'

const STATE = /^state_\d+\.sqlite(?:-wal)?$/
const INDEX = 'session_index.jsonl'
const HISTORY = 'history.jsonl'

export const codex: Source = {
  id: 'codex',
  name: 'Codex',
  evidence: 'seen',
  badge: { letters: 'Cx', colour: 'teal' },
  client: /^codex/i,
  survey: () => import('./survey.ts'),
  revive: () => import('./revive.ts'),
  signs: () => import('./signs.ts'),
  roots,
  enters: (folder) => /^(?:sessions|archived_sessions)(?:\/|$)/.test(folder),
  unit,
  read,
  calls,
}

/** CODEX_HOME moves everything; chats from before it was set stay in the usual place. */
function roots(machine: Machine): Root[] {
  const { home, env } = machine
  const { join, resolve } = pathsOf(machine)
  const usual = join(home, '.codex')
  const moved = env.CODEX_HOME ? resolve(env.CODEX_HOME) : usual
  return moved === usual ? [{ path: usual }] : [{ path: moved, label: 'CODEX_HOME' }, { path: usual }]
}

function unit(file: string, root: Root): Unit | undefined {
  const absolute = path.join(root.path, file)
  const rollout = ROLLOUT.exec(file)
  if (rollout) {
    return { path: absolute, growth: rollout[1] === 'jsonl' ? 'append' : 'whole', rank: rankOf(file) }
  }
  if (file === INDEX) return { path: absolute, growth: 'whole' }
  if (file === HISTORY) return { path: absolute, growth: 'whole', standsIn: true }
  if (STATE.test(file)) {
    const main = absolute.replace(/-wal$/, '')
    return { path: main, growth: 'database', beside: [`${main}-wal`] }
  }
  return undefined
}

function read(unit: Unit, from: Checkpoint | undefined): Iterable<Found> {
  if (/\.(?:zst|json)$/.test(unit.path)) return readRollout(unit.path, undefined)
  if (unit.path.endsWith('.sqlite')) return readStateTitles(unit.path, from)
  if (path.basename(unit.path) === INDEX) return readIndexTitles(unit.path)
  if (path.basename(unit.path) === HISTORY) return readHistory(unit.path)
  return readRollout(unit.path, from)
}
