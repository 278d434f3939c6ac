import path from 'node:path'
import { type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { desktopFolders, enters, unit } from './places.ts'
import { retention } from './retention.ts'
import { roots } from './roots.ts'

const DESKTOP = 'Claude Desktop'

/** Claude Code: one JSONL file per session, one more per sub-agent. See docs/sources/claude-code.md. */
export const claudeCode: Source = {
  id: 'claude-code',
  name: 'Claude Code',
  evidence: 'seen',
  badge: { letters: 'Cl', colour: 'orange' },
  client: /^claude-code/i,
  survey: () => import('./survey.ts'),
  retention,
  revive: () => import('./revive.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [...roots(machine), ...titlesByDesktop(machine)],
  enters: (folder, root) => (root.label === DESKTOP ? /^[^/]+(\/[^/]+)?$/.test(folder) : enters(folder)),
  unit: (file, root) => (root.label === DESKTOP ? desktopSession(file, root) : unit(file, root)),
  reader: () => import('./reader.ts'),
  calls,
}

/** The Code tab of Claude Desktop runs Claude Code, and keeps what a session is called by itself. */
function titlesByDesktop(machine: Machine): Root[] {
  const { join } = pathsOf(machine)
  return desktopFolders(machine).map((folder) => ({
    path: join(folder, 'claude-code-sessions'),
    label: DESKTOP,
  }))
}

function desktopSession(file: string, root: Root): Unit | undefined {
  if (!/^[^/]+\/[^/]+\/local_[^/]+\.json$/.test(file)) return undefined
  return { path: path.join(root.path, file), growth: 'whole', rank: 1 }
}
