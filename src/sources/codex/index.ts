import { type Machine, pathsOf } from '../../platform/machine.ts'
import { below } from '../below.ts'
import type { Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { HISTORY, INDEX, ROLLOUT, rankOf } from './places.ts'

const STATE = /^state_\d+\.sqlite(?:-wal)?$/

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
  reader: () => import('./reader.ts'),
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
  const absolute = below(root, file)
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
