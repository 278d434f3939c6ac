import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** OpenClaw, which keeps pi's entries: in files until summer 2026, then in a database for each agent. */
export const openclaw: Source = {
  id: 'openclaw',
  name: 'OpenClaw',
  evidence: 'seen',
  badge: { letters: 'OC', colour: 'pink' },
  client: /openclaw/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    const present = machine.env.OPENCLAW_STATE_DIR || join(machine.home, '.openclaw')
    return [{ path: present }, ...EARLIER.map((name) => ({ path: join(machine.home, name), label: name }))]
  },
  enters: (folder) => /^agents(\/[^/]+(\/(sessions|agent))?)?$/.test(folder),
  unit(file, root) {
    const at = (name: string) => path.join(root.path, ...name.split('/'))
    const database = /^agents\/[^/]+\/agent\/openclaw-agent\.sqlite(?=(-wal)?$)/.exec(file)?.[0]
    if (database) return { path: at(database), growth: 'database', beside: [`${at(database)}-wal`], rank: 1 }
    // Beside them lie logs for debugging (`.trajectory.jsonl`) and states of before a reset (`.jsonl.reset.<time>`).
    if (/^agents\/[^/]+\/sessions\/[^/.]+\.jsonl$/.test(file))
      return { path: at(file), growth: 'append', standsIn: true, rank: 0 }
    return undefined
  },
  reader: () => import('./reader.ts'),
}

/** What it was called before. */
const EARLIER = ['.clawdbot', '.moltbot', '.moldbot']
